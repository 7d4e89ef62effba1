// Tan, Nedialkov & Pryce (2017): the multipliers of the dependent equations contain leading derivatives, so that only
// expression substitution converts it. Right-hand sides for the solution x1 = -cos(time), x2 = 2 + 0.5 sin(time).
model Substitution
  Real x1(start=-1), x2(start=2);
equation
  x1 + exp(-der(x1) - x2*der(der(x2))) = -cos(time) + exp(-sin(time) + (2 + 0.5*sin(time))*0.5*sin(time));
  x1 + x2*der(x2) + x2^2 = -cos(time) + (2 + 0.5*sin(time))*0.5*cos(time) + (2 + 0.5*sin(time))^2;
  annotation(experiment(StopTime=3, Tolerance=1e-8));
end Substitution;

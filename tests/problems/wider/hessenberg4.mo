// Nonlinear chain of integrators with a prescribed output: index 4.
model Hessenberg4
  Real y1(start = 1), y2(start = 0.2), y3(start = 0), u;
equation
  der(y1) = y2+0.3*sin(y1);
  der(y2) = y3-y1*y2;
  der(y3) = u*(1+0.1*y1^2)-y3^3;
  y1 = 1+0.5*sin(2*time)+0.1*time;
  annotation(experiment(StopTime = 5));
end Hessenberg4;

// Reactor kinetics with six groups of delayed neutrons and temperature feedback; ramp with kinks in time.
model PointKinetics
  parameter Real L = 2e-5, beta = 0.0065;
  Real n(start = 1, fixed = true), T(start = 300, fixed = true), rho;
  Real c1(start = 0.000215/0.0124/2e-5, fixed = true, nominal = 100), c2(start = 0.001424/0.0305/2e-5, fixed = true, nominal = 1000), c3(start = 0.001274/0.111/2e-5, fixed = true, nominal = 100), c4(start = 0.002568/0.301/2e-5, fixed = true, nominal = 100), c5(start = 0.000748/1.14/2e-5, fixed = true, nominal = 10), c6(start = 0.000273/3.01/2e-5, fixed = true, nominal = 1);
equation
  rho = (if time < 1 then 0 else 0.003*min(time-1, 1)) - 1e-5*(T-300);
  L*der(n) = (rho-(0.000215+0.001424+0.001274+0.002568+0.000748+0.000273))*n + L*(0.0124*c1+0.0305*c2+0.111*c3+0.301*c4+1.14*c5+3.01*c6);
  der(c1) = 0.000215/L*n-0.0124*c1;
  der(c2) = 0.001424/L*n-0.0305*c2;
  der(c3) = 0.001274/L*n-0.111*c3;
  der(c4) = 0.002568/L*n-0.301*c4;
  der(c5) = 0.000748/L*n-1.14*c5;
  der(c6) = 0.000273/L*n-3.01*c6;
  der(T) = 10*(n-1)-0.05*(T-300);
  annotation(experiment(StopTime = 20));
end PointKinetics;

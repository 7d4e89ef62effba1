// Exothermic reactor whose coolant temperature makes the concentration follow a path; Pantelides 1988. Index 3.
model ReactorPath
  parameter Real c0 = 1;
  parameter Real t0 = 350;
  parameter Real k1 = 0.1;
  parameter Real k2 = 200;
  parameter Real k3 = 2;
  parameter Real k4 = 6000;
  parameter Real rate = 7.2e7;
  Real c(start = 0.9);
  Real T(start = 330);
  Real r(start = 0.01);
  Real Tc(start = 320);
equation
  der(c) = k1*(c0 - c) - r;
  der(T) = k1*(t0 - T) + k2*r - k3*(T - Tc);
  r = rate*exp(-k4/T)*c;
  c = 0.8 + 0.1*exp(-time/20)*cos(time/10);
  annotation(experiment(StopTime = 40));
end ReactorPath;

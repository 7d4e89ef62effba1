// Four-bar linkage driven by a torque: three angles, two loop conditions with multipliers. Index 3.
model FourBar
  parameter Real a = 1;
  parameter Real b = 3;
  parameter Real c = 2.5;
  parameter Real d = 3.2;
  parameter Real J1 = 0.4;
  parameter Real J2 = 1.1;
  parameter Real J3 = 0.9;
  parameter Real g = 9.81;
  Real p(start = 1.0, fixed = true);
  Real q(start = 0.5);
  Real r(start = 1.6);
  Real dp(start = 2, fixed = true);
  Real dq(start = 0);
  Real dr(start = 0);
  Real l1(start = 0);
  Real l2(start = 0);
equation
  der(p) = dp;
  der(q) = dq;
  der(r) = dr;
  a*cos(p) + b*cos(q) - c*cos(r) = d;
  a*sin(p) + b*sin(q) - c*sin(r) = 0;
  J1*der(dp) = 3*sin(2*time) - g*0.5*a*cos(p) - l1*a*sin(p) + l2*a*cos(p);
  J2*der(dq) = -g*0.7*b*cos(q) - l1*b*sin(q) + l2*b*cos(q);
  J3*der(dr) = -g*0.5*c*cos(r) + l1*c*sin(r) - l2*c*cos(r) - 0.2*dr;
  annotation(experiment(StopTime = 4));
end FourBar;

// Seven pipes with inertia and turbulent friction, three junctions without volume, one buffer; demand and supply
// vary. Index 2 with redundant start values.
model WaterNetwork
  parameter Real k = 0.8;
  parameter Real La = 0.5;
  parameter Real Lb = 0.8;
  parameter Real Lc = 1.1;
  parameter Real Ld = 1.4;
  parameter Real Le = 1.7;
  parameter Real Lf = 2.0;
  parameter Real Lg = 2.3;
  Real p1;
  Real p2(start = 1);
  Real p3(start = 1);
  Real p4(start = 1);
  Real p5(start = 1);
  Real fa(start = 0);
  Real fb(start = 0);
  Real fc(start = 0);
  Real fd(start = 0);
  Real fe(start = 0);
  Real ff(start = 0);
  Real fg(start = 0);
equation
  p1 = 5 + 2*sin(time);
  La*der(fa) = p1 - p2 - k*sqrt(fa^2 + 0.01)*fa;
  Lb*der(fb) = p2 - p3 - k*sqrt(fb^2 + 0.01)*fb;
  Lc*der(fc) = p2 - p4 - k*sqrt(fc^2 + 0.01)*fc;
  Ld*der(fd) = p3 - p5 - k*sqrt(fd^2 + 0.01)*fd;
  Le*der(fe) = p4 - p5 - k*sqrt(fe^2 + 0.01)*fe;
  Lf*der(ff) = p3 - p4 - k*sqrt(ff^2 + 0.01)*ff;
  Lg*der(fg) = p5 - 0 - k*sqrt(fg^2 + 0.01)*fg;
  fa = fb + fc;
  fb = fd + ff;
  fc + ff = fe + 0.1*(1 - cos(2*time));
  0.5*der(p5) = fd + fe - fg;
  annotation(experiment(StopTime = 10));
end WaterNetwork;

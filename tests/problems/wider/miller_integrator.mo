// Integrator with an amplifier of finite gain; the source is shunted by a capacitor: index 2.
model Miller
  parameter Real A = 1e5, R = 1e4, C = 1e-6, Ro = 100, Ci = 1e-9;
  Real vin, vm(start = 0), vo(start = 0), ve, ic, ir, is;
  Real vc(start = 0, fixed = true), vs;
equation
  vin = sin(40*time) + 0.3*sin(300*time);
  vs = vin;
  is = Ci*der(vs) + ir;
  ir = (vin-vm)/R;
  ir = ic;
  ic = C*der(vc);
  vc = vm - vo;
  ve = -A*vm;
  vo = ve - Ro*(-ic);
  annotation(experiment(StopTime = 0.2));
end Miller;

// Rectifier with an ideal diode: the current is a state that is held while the diode blocks.
model IdealDiode
  parameter Real R = 10, C = 1e-3, L = 1e-2;
  Real i(start = 0, fixed = true), v(start = 0, fixed = true), s, vd, e;
  Boolean off(start = true);
equation
  e = 10*sin(314.159265358979*time);
  off = s < 0;
  vd = if off then s else 0;
  L*der(i) = if off then -0*i else e - v - vd;
  s = if off then e - v else i;
  C*der(v) = i-v/R;
  when off then
    reinit(i, 0);
  end when;
  annotation(experiment(StopTime = 0.05));
end IdealDiode;

// Block on a belt that sticks and slips; sticking begins by an event with pre().
model StickSlip
  parameter Real k = 40, m = 1, vb = 0.3, mus = 1.5, muk = 1, vs = 0.1;
  Real x(start = 0, fixed = true), v(start = 0, fixed = true), f, vr;
  Boolean stuck(start = false, fixed = true);
equation
  vr = vb - v;
  stuck = if pre(stuck) then abs(k*x) <= 10*mus else (vr <= 0 and abs(k*x) <= 10*mus);
  f = 10*(muk+(mus-muk)*exp(-abs(vr)/vs));
  der(x) = v;
  m*der(v) = if stuck then 0 else (f-k*x);
  when stuck then
    reinit(v, vb);
  end when;
  annotation(experiment(StopTime = 6));
end StickSlip;

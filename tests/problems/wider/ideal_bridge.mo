// Bridge of four ideal diodes: two begin to conduct where two others end, from the full current of the load.
model IdealBridge
  Real vs, i(start = 1, fixed = true), vp, vn;
  Real s1(start = 1), s2(start = -1), s3(start = -1), s4(start = 1), d1, d2, d3, d4, j1, j2, j3, j4;
equation
  vs = 10*sin(100*time + 0.3);
  d1 = if s1 > 0 then 0 else s1;
  j1 = if s1 > 0 then s1 else 0;
  d2 = if s2 > 0 then 0 else s2;
  j2 = if s2 > 0 then s2 else 0;
  d3 = if s3 > 0 then 0 else s3;
  j3 = if s3 > 0 then s3 else 0;
  d4 = if s4 > 0 then 0 else s4;
  j4 = if s4 > 0 then s4 else 0;
  d1 = vs - vp;
  d2 = -vp;
  d3 = vn - vs;
  d4 = vn;
  j1 + j2 = i;
  j3 + j4 = i;
  0.1*der(i) = vp - vn - 5*i;
  annotation(experiment(StopTime = 0.2));
end IdealBridge;

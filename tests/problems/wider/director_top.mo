// Heavy top by three directors and six constraints (Betsch & Steinmann 2001), index 3.
model DirectorTop
  Real ax(start = 1.0), vax(start = 0.0);
  Real ay(start = 0.0), vay(start = 16.5);
  Real az(start = 0.0), vaz(start = -12.0);
  Real bx(start = 0.0), vbx(start = -20.4);
  Real by(start = 0.8), vby(start = 0.0);
  Real bz(start = -0.6), vbz(start = 0.0);
  Real cx(start = 0.0), vcx(start = -0.29999999999999893);
  Real cy(start = 0.6), vcy(start = 0.0);
  Real cz(start = 0.8), vcz(start = 0.0);
  Real l1, l2, l3, l4, l5, l6;
equation
  der(ax) = vax;
  der(ay) = vay;
  der(az) = vaz;
  der(bx) = vbx;
  der(by) = vby;
  der(bz) = vbz;
  der(cx) = vcx;
  der(cy) = vcy;
  der(cz) = vcz;
  der(vax) = -2*l1*ax-l4*bx-l6*cx;
  der(vay) = -2*l1*ay-l4*by-l6*cy;
  der(vaz) = -2*l1*az-l4*bz-l6*cz;
  der(vbx) = -2*l2*bx-l4*ax-l5*cx;
  der(vby) = -2*l2*by-l4*ay-l5*cy;
  der(vbz) = -2*l2*bz-l4*az-l5*cz;
  0.3*der(vcx) = -2*l3*cx-l5*bx-l6*ax;
  0.3*der(vcy) = -2*l3*cy-l5*by-l6*ay;
  0.3*der(vcz) = -2*l3*cz-l5*bz-l6*az-9.81;
  ax*ax+ay*ay+az*az = 1;
  bx*bx+by*by+bz*bz = 1;
  cx*cx+cy*cy+cz*cz = 1;
  ax*bx+ay*by+az*bz = 0;
  bx*cx+by*cy+bz*cz = 0;
  ax*cx+ay*cy+az*cz = 0;
  annotation(experiment(StopTime = 1.0));
end DirectorTop;

// Wheelset on a straight track, velocity constraints (index 2), 17 unknowns beside names for intermediate results.
// B. Simeon, C. Führer, P. Rentrop, Surv. Math. Ind. 1 (1991) 1-37; Test Set for IVP Solvers, release 2.4.
model Wheelset
  parameter Real m = 16.08 "mass";
  parameter Real I1 = 0.0605;
  parameter Real I2 = 0.366;
  parameter Real v = 30 "speed along the track";
  parameter Real r0 = 0.1 "nominal radius";
  parameter Real mu = 0.12 "friction";
  parameter Real xl = 0.19;
  parameter Real cx = 6400;
  parameter Real cz = 6400;
  parameter Real E = 1.3537956;
  parameter Real G = 0.7115218;
  parameter Real sigma = 0.28;
  parameter Real Gm = 7.92e10;
  parameter Real C11 = 4.72772197;
  parameter Real C22 = 4.27526987;
  parameter Real C23 = 1.97203505;
  parameter Real delta0 = 0.0262 "angle of the cone";
  parameter Real ar = 0.1506 "half distance of the wheels";
  parameter Real rs = 0.06 "radius of the rail's head";
  parameter Real g = 9.81;
  parameter Real pi = 3.1415926 "as in the reference";
  parameter Real omega = v/r0;
  parameter Real ta = tan(delta0);
  parameter Real sir = sin(delta0)*rs;
  Real x(start = 0.14941e-02), y(start = 0.40089e-06), z(start = 0.11241e-05);
  Real theta(start = -0.28573e-03), phi(start = 0.26459e-03);
  Real vx(start = 0), vy(start = 0), vz(start = 0), vtheta(start = 0), vphi(start = 0), beta(start = 0);
  Real psil(start = 7.5634406395172940e-06), xil(start = 0.1490635714733819);
  Real psir(start = -7.4122380357667139e-06), xir(start = -0.1521364296121248);
  Real lambda1(start = -8.3593e-3), lambda2(start = -7.4144e-3);
  Real e1, e2;
  Real Rl, Rr, dRl, dRr;
  Real xgl, xgr, tl, tr, dGl, dGr, d2Gl, d2Gr;
  Real ql4, ql5, qr4, qr5, deltal, deltar, det, fl, fr;
  Real cl, cr, stl, ctl, str, ctr;
  Real wl1, wl2, wl3, wr1, wr2, wr3, rolll, rollr;
  Real nuxl, nuyl, phisl, nuxr, nuyr, phisr;
  Real txl0, tyl0, txr0, tyr0, sl, sr;
  Real txl, tyl, txr, tyr, Tl1, Tl2, Tl3, Tr1, Tr2, Tr3;
equation
  e1 = 1e4*lambda1;
  e2 = 1e4*lambda2;
  // profiles: wheels are cones, rails circles; the left contact is at positive, the right at negative coordinates
  Rl = r0 + ta*(ar - xil);
  dRl = -ta;
  Rr = r0 + ta*(ar + xir);
  dRr = ta;
  xgl = x + xil*cos(theta)*cos(phi) + Rl*(cos(theta)*sin(phi)*cos(psil) - sin(theta)*sin(psil));
  xgr = x + xir*cos(theta)*cos(phi) + Rr*(cos(theta)*sin(phi)*cos(psir) - sin(theta)*sin(psir));
  tl = sqrt(rs^2 - (xgl - ar - sir)^2);
  tr = sqrt(rs^2 - (xgr + ar + sir)^2);
  dGl = (-xgl + ar + sir)/tl;
  dGr = -(xgr + ar + sir)/tr;
  d2Gl = -rs^2/tl^3;
  d2Gr = -rs^2/tr^3;
  // constraint matrix
  ql4 = dGl*(Rl*(-cos(theta)*sin(psil) - cos(psil)*sin(phi)*sin(theta)) - cos(phi)*sin(theta)*xil);
  qr4 = dGr*(Rr*(-cos(theta)*sin(psir) - cos(psir)*sin(phi)*sin(theta)) - cos(phi)*sin(theta)*xir);
  ql5 = -cos(psil)*Rl*sin(phi) - cos(phi)*xil + dGl*(cos(phi)*cos(psil)*cos(theta)*Rl - cos(theta)*sin(phi)*xil);
  qr5 = -cos(psir)*Rr*sin(phi) - cos(phi)*xir + dGr*(cos(phi)*cos(psir)*cos(theta)*Rr - cos(theta)*sin(phi)*xir);
  // contact planes and normal forces
  deltal = atan(((dRl*cos(phi) - sin(phi)*cos(psil))*cos(theta) + sin(psil)*sin(theta))/(-dRl*sin(phi) - cos(psil)*cos(phi)));
  deltar = atan(((dRr*cos(phi) - sin(phi)*cos(psir))*cos(theta) + sin(psir)*sin(theta))/(dRr*sin(phi) + cos(psir)*cos(phi)));
  det = -sin(deltal)*cos(deltar) - sin(deltar)*cos(deltal);
  fl = (cos(deltar)*(dGl*e1 + dGr*e2) - sin(deltar)*(-e1 - e2))/det;
  fr = (-cos(deltal)*(dGl*e1 + dGr*e2) - sin(deltal)*(-e1 - e2))/det;
  // contact ellipses
  cl = (3*abs(fl)*(1 - sigma)*E/(2*pi*(0.5/(Rl*sqrt(1 + dRl^2)) + 0.5*(-d2Gl/(1 + dGl^2)^1.5))*Gm*sqrt(G)))^(1/3);
  cr = (3*abs(fr)*(1 - sigma)*E/(2*pi*(0.5/(Rr*sqrt(1 + dRr^2)) + 0.5*(-d2Gr/(1 + dGr^2)^1.5))*Gm*sqrt(G)))^(1/3);
  stl = sin(theta/cos(deltal));
  ctl = cos(theta/cos(deltal));
  str = sin(theta/cos(deltar));
  ctr = cos(theta/cos(deltar));
  // velocities at the contact points
  wl1 = -(omega + beta)*Rl*(stl*cos(psil) + ctl*sin(phi)*sin(psil)) + vx - vtheta*(Rl*(stl*sin(phi)*cos(psil) + ctl*sin(psil)) + xil*stl*cos(phi)) - vphi*ctl*(xil*sin(phi) - Rl*cos(phi)*cos(psil));
  wl2 = (omega + beta)*Rl*cos(phi)*sin(psil) + vy + vphi*(xil*cos(phi) + Rl*sin(phi)*cos(psil));
  wl3 = -(omega + beta)*Rl*(ctl*cos(psil) - stl*sin(phi)*sin(psil)) + v + vz - vtheta*(xil*ctl*cos(phi) + Rl*(ctl*sin(phi)*cos(psil) - stl*sin(psil))) + vphi*stl*(xil*sin(phi) - Rl*cos(phi)*cos(psil));
  wr1 = -(omega + beta)*Rr*(str*cos(psir) + ctr*sin(phi)*sin(psir)) + vx - vtheta*(Rr*(str*sin(phi)*cos(psir) + ctr*sin(psir)) + xir*str*cos(phi)) - vphi*ctr*(xir*sin(phi) - Rr*cos(phi)*cos(psir));
  wr2 = (omega + beta)*Rr*cos(phi)*sin(psir) + vy + vphi*(xir*cos(phi) + Rr*sin(phi)*cos(psir));
  wr3 = -(omega + beta)*Rr*(ctr*cos(psir) - str*sin(phi)*sin(psir)) + v + vz - vtheta*(xir*ctr*cos(phi) + Rr*(ctr*sin(phi)*cos(psir) - str*sin(psir))) + vphi*str*(xir*sin(phi) - Rr*cos(phi)*cos(psir));
  rolll = 0.5*sqrt((wl1 - 2*vx)^2 + (wl2 - 2*vy)^2 + (wl3 - 2*vz - 2*v)^2);
  rollr = 0.5*sqrt((wr1 - 2*vx)^2 + (wr2 - 2*vy)^2 + (wr3 - 2*vz - 2*v)^2);
  nuxl = (stl*wl1 + ctl*wl3)/rolll;
  nuyl = (ctl*cos(deltal)*wl1 + sin(deltal)*wl2 - stl*cos(deltal)*wl3)/rolll;
  phisl = (-sin(deltal)*(omega + beta) + cos(deltal)*vtheta)/rolll;
  nuxr = (str*wr1 + ctr*wr3)/rollr;
  nuyr = (ctr*cos(deltar)*wr1 - sin(deltar)*wr2 - str*cos(deltar)*wr3)/rollr;
  phisr = (sin(deltar)*(omega + beta) + cos(deltar)*vtheta)/rollr;
  // creep forces, limited to the friction cone
  txl0 = -mu*fl*tanh(Gm*cl^2*C11*nuxl/(mu*fl));
  tyl0 = -mu*fl*tanh(Gm*cl^2*C22*nuyl/(mu*fl) + Gm*cl^3*C23*phisl/(mu*fl));
  txr0 = -mu*fr*tanh(Gm*cr^2*C11*nuxr/(mu*fr));
  tyr0 = -mu*fr*tanh(Gm*cr^2*C22*nuyr/(mu*fr) + Gm*cr^3*C23*phisr/(mu*fr));
  sl = if txl0^2 + tyl0^2 > (mu*fl)^2 then abs(mu*fl)/sqrt(txl0^2 + tyl0^2) else 1;
  sr = if txr0^2 + tyr0^2 > (mu*fr)^2 then abs(mu*fr)/sqrt(txr0^2 + tyr0^2) else 1;
  txl = sl*txl0;
  tyl = sl*tyl0;
  txr = sr*txr0;
  tyr = sr*tyr0;
  Tl1 = stl*txl + ctl*cos(deltal)*tyl;
  Tl2 = sin(deltal)*tyl;
  Tl3 = ctl*txl - stl*cos(deltal)*tyl;
  Tr1 = str*txr + ctr*cos(deltar)*tyr;
  Tr2 = -sin(deltar)*tyr;
  Tr3 = ctr*txr - str*cos(deltar)*tyr;
  // motion
  der(x) = vx;
  der(y) = vy;
  der(z) = vz;
  der(theta) = vtheta;
  der(phi) = vphi;
  m*der(vx) = Tl1 + Tr1 + dGl*e1 + dGr*e2 - 2*cx*x;
  m*der(vy) = Tl2 + Tr2 - m*g - e1 - e2;
  m*der(vz) = Tl3 + Tr3 - 2*cz*z;
  I2*cos(phi)*der(vtheta) = I2*vtheta*vphi*sin(phi) - I1*(omega + beta)*vphi - (I1 - I2)*vtheta*sin(phi)*vphi
    - (xil*sin(theta) + Rl*sin(psil)*cos(theta)*cos(phi))*Tl1 - Rl*sin(psil)*sin(phi)*Tl2 + (-xil*cos(theta) + Rl*sin(psil)*sin(theta)*cos(phi))*Tl3
    - (xir*sin(theta) + Rr*sin(psir)*cos(theta)*cos(phi))*Tr1 - Rr*sin(psir)*sin(phi)*Tr2 + (-xir*cos(theta) + Rr*sin(psir)*sin(theta)*cos(phi))*Tr3
    - cos(phi)*2*xl^2*cz*theta + ql4*e1 + qr4*e2;
  I2*der(vphi) = I1*(omega + beta)*vtheta*cos(phi) + (I1 - I2)*vtheta^2*sin(phi)*cos(phi)
    - (xil*cos(theta)*sin(phi) - Rl*cos(psil)*cos(theta)*cos(phi))*Tl1 + (xil*cos(phi) + Rl*cos(psil)*sin(phi))*Tl2 + (xil*sin(theta)*sin(phi) - Rl*cos(psil)*sin(theta)*cos(phi))*Tl3
    - (xir*cos(theta)*sin(phi) - Rr*cos(psir)*cos(theta)*cos(phi))*Tr1 + (xir*cos(phi) + Rr*cos(psir)*sin(phi))*Tr2 + (xir*sin(theta)*sin(phi) - Rr*cos(psir)*sin(theta)*cos(phi))*Tr3
    + ql5*e1 + qr5*e2;
  I1*(sin(phi)*der(vtheta) + der(beta)) = -I1*vtheta*vphi*cos(phi)
    - Rl*(cos(psil)*sin(theta) + sin(psil)*cos(theta)*sin(phi))*Tl1 + Rl*sin(psil)*cos(phi)*Tl2 - Rl*(cos(psil)*cos(theta) - sin(psil)*sin(theta)*sin(phi))*Tl3
    - Rr*(cos(psir)*sin(theta) + sin(psir)*cos(theta)*sin(phi))*Tr1 + Rr*sin(psir)*cos(phi)*Tr2 - Rr*(cos(psir)*cos(theta) - sin(psir)*sin(theta)*sin(phi))*Tr3
    - sin(phi)*2*xl^2*cz*theta;
  // contact, as a condition on velocities
  0 = dGl*vx - vy + ql4*vtheta + ql5*vphi;
  0 = dGr*vx - vy + qr4*vtheta + qr5*vphi;
  // normals are parallel, no intersection
  0 = dGl*(dRl*sin(phi) + cos(phi)*cos(psil)) + dRl*cos(theta)*cos(phi) - cos(theta)*sin(phi)*cos(psil) + sin(theta)*sin(psil);
  0 = dRl*sin(theta)*cos(phi) - sin(theta)*sin(phi)*cos(psil) - cos(theta)*sin(psil);
  0 = dGr*(dRr*sin(phi) + cos(phi)*cos(psir)) + dRr*cos(theta)*cos(phi) - cos(theta)*sin(phi)*cos(psir) + sin(theta)*sin(psir);
  0 = dRr*sin(theta)*cos(phi) - sin(theta)*sin(phi)*cos(psir) - cos(theta)*sin(psir);
  annotation(experiment(StartTime = 0, StopTime = 10));
end Wheelset;

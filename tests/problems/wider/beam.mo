// Beam of eight rods, one end held, with a force for a while (after Hairer, Wanner 1996, IV.1).
model Beam
  Real th1(start = 0, fixed = true), w1(start = 0, fixed = true);
  Real th2(start = 0, fixed = true), w2(start = 0, fixed = true);
  Real th3(start = 0, fixed = true), w3(start = 0, fixed = true);
  Real th4(start = 0, fixed = true), w4(start = 0, fixed = true);
  Real th5(start = 0, fixed = true), w5(start = 0, fixed = true);
  Real th6(start = 0, fixed = true), w6(start = 0, fixed = true);
  Real th7(start = 0, fixed = true), w7(start = 0, fixed = true);
  Real th8(start = 0, fixed = true), w8(start = 0, fixed = true);
  Real Fx, Fy;
equation
  Fx = if time<3.14159265358979 then -1.5*sin(time)^2 else 0;
  Fy = if time<3.14159265358979 then 1.5*sin(time)^2 else 0;
  der(th1) = w1;
  der(th2) = w2;
  der(th3) = w3;
  der(th4) = w4;
  der(th5) = w5;
  der(th6) = w6;
  der(th7) = w7;
  der(th8) = w8;
  7.5*cos(th1-th1)*der(w1) + 6.5*cos(th1-th2)*der(w2) + 5.5*cos(th1-th3)*der(w3) + 4.5*cos(th1-th4)*der(w4) + 3.5*cos(th1-th5)*der(w5) + 2.5*cos(th1-th6)*der(w6) + 1.5*cos(th1-th7)*der(w7) + 0.5*cos(th1-th8)*der(w8) = 4096*((-th1)-2*th1+th2)  - 7.5*sin(th1-th1)*w1^2 - 6.5*sin(th1-th2)*w2^2 - 5.5*sin(th1-th3)*w3^2 - 4.5*sin(th1-th4)*w4^2 - 3.5*sin(th1-th5)*w5^2 - 2.5*sin(th1-th6)*w6^2 - 1.5*sin(th1-th7)*w7^2 - 0.5*sin(th1-th8)*w8^2 + 64*(cos(th1)*Fy - sin(th1)*Fx);
  6.5*cos(th2-th1)*der(w1) + 6.5*cos(th2-th2)*der(w2) + 5.5*cos(th2-th3)*der(w3) + 4.5*cos(th2-th4)*der(w4) + 3.5*cos(th2-th5)*der(w5) + 2.5*cos(th2-th6)*der(w6) + 1.5*cos(th2-th7)*der(w7) + 0.5*cos(th2-th8)*der(w8) = 4096*(th1-2*th2+th3)  - 6.5*sin(th2-th1)*w1^2 - 6.5*sin(th2-th2)*w2^2 - 5.5*sin(th2-th3)*w3^2 - 4.5*sin(th2-th4)*w4^2 - 3.5*sin(th2-th5)*w5^2 - 2.5*sin(th2-th6)*w6^2 - 1.5*sin(th2-th7)*w7^2 - 0.5*sin(th2-th8)*w8^2 + 64*(cos(th2)*Fy - sin(th2)*Fx);
  5.5*cos(th3-th1)*der(w1) + 5.5*cos(th3-th2)*der(w2) + 5.5*cos(th3-th3)*der(w3) + 4.5*cos(th3-th4)*der(w4) + 3.5*cos(th3-th5)*der(w5) + 2.5*cos(th3-th6)*der(w6) + 1.5*cos(th3-th7)*der(w7) + 0.5*cos(th3-th8)*der(w8) = 4096*(th2-2*th3+th4)  - 5.5*sin(th3-th1)*w1^2 - 5.5*sin(th3-th2)*w2^2 - 5.5*sin(th3-th3)*w3^2 - 4.5*sin(th3-th4)*w4^2 - 3.5*sin(th3-th5)*w5^2 - 2.5*sin(th3-th6)*w6^2 - 1.5*sin(th3-th7)*w7^2 - 0.5*sin(th3-th8)*w8^2 + 64*(cos(th3)*Fy - sin(th3)*Fx);
  4.5*cos(th4-th1)*der(w1) + 4.5*cos(th4-th2)*der(w2) + 4.5*cos(th4-th3)*der(w3) + 4.5*cos(th4-th4)*der(w4) + 3.5*cos(th4-th5)*der(w5) + 2.5*cos(th4-th6)*der(w6) + 1.5*cos(th4-th7)*der(w7) + 0.5*cos(th4-th8)*der(w8) = 4096*(th3-2*th4+th5)  - 4.5*sin(th4-th1)*w1^2 - 4.5*sin(th4-th2)*w2^2 - 4.5*sin(th4-th3)*w3^2 - 4.5*sin(th4-th4)*w4^2 - 3.5*sin(th4-th5)*w5^2 - 2.5*sin(th4-th6)*w6^2 - 1.5*sin(th4-th7)*w7^2 - 0.5*sin(th4-th8)*w8^2 + 64*(cos(th4)*Fy - sin(th4)*Fx);
  3.5*cos(th5-th1)*der(w1) + 3.5*cos(th5-th2)*der(w2) + 3.5*cos(th5-th3)*der(w3) + 3.5*cos(th5-th4)*der(w4) + 3.5*cos(th5-th5)*der(w5) + 2.5*cos(th5-th6)*der(w6) + 1.5*cos(th5-th7)*der(w7) + 0.5*cos(th5-th8)*der(w8) = 4096*(th4-2*th5+th6)  - 3.5*sin(th5-th1)*w1^2 - 3.5*sin(th5-th2)*w2^2 - 3.5*sin(th5-th3)*w3^2 - 3.5*sin(th5-th4)*w4^2 - 3.5*sin(th5-th5)*w5^2 - 2.5*sin(th5-th6)*w6^2 - 1.5*sin(th5-th7)*w7^2 - 0.5*sin(th5-th8)*w8^2 + 64*(cos(th5)*Fy - sin(th5)*Fx);
  2.5*cos(th6-th1)*der(w1) + 2.5*cos(th6-th2)*der(w2) + 2.5*cos(th6-th3)*der(w3) + 2.5*cos(th6-th4)*der(w4) + 2.5*cos(th6-th5)*der(w5) + 2.5*cos(th6-th6)*der(w6) + 1.5*cos(th6-th7)*der(w7) + 0.5*cos(th6-th8)*der(w8) = 4096*(th5-2*th6+th7)  - 2.5*sin(th6-th1)*w1^2 - 2.5*sin(th6-th2)*w2^2 - 2.5*sin(th6-th3)*w3^2 - 2.5*sin(th6-th4)*w4^2 - 2.5*sin(th6-th5)*w5^2 - 2.5*sin(th6-th6)*w6^2 - 1.5*sin(th6-th7)*w7^2 - 0.5*sin(th6-th8)*w8^2 + 64*(cos(th6)*Fy - sin(th6)*Fx);
  1.5*cos(th7-th1)*der(w1) + 1.5*cos(th7-th2)*der(w2) + 1.5*cos(th7-th3)*der(w3) + 1.5*cos(th7-th4)*der(w4) + 1.5*cos(th7-th5)*der(w5) + 1.5*cos(th7-th6)*der(w6) + 1.5*cos(th7-th7)*der(w7) + 0.5*cos(th7-th8)*der(w8) = 4096*(th6-2*th7+th8)  - 1.5*sin(th7-th1)*w1^2 - 1.5*sin(th7-th2)*w2^2 - 1.5*sin(th7-th3)*w3^2 - 1.5*sin(th7-th4)*w4^2 - 1.5*sin(th7-th5)*w5^2 - 1.5*sin(th7-th6)*w6^2 - 1.5*sin(th7-th7)*w7^2 - 0.5*sin(th7-th8)*w8^2 + 64*(cos(th7)*Fy - sin(th7)*Fx);
  0.5*cos(th8-th1)*der(w1) + 0.5*cos(th8-th2)*der(w2) + 0.5*cos(th8-th3)*der(w3) + 0.5*cos(th8-th4)*der(w4) + 0.5*cos(th8-th5)*der(w5) + 0.5*cos(th8-th6)*der(w6) + 0.5*cos(th8-th7)*der(w7) + 0.5*cos(th8-th8)*der(w8) = 4096*(th7-2*th8+th8)  - 0.5*sin(th8-th1)*w1^2 - 0.5*sin(th8-th2)*w2^2 - 0.5*sin(th8-th3)*w3^2 - 0.5*sin(th8-th4)*w4^2 - 0.5*sin(th8-th5)*w5^2 - 0.5*sin(th8-th6)*w6^2 - 0.5*sin(th8-th7)*w7^2 - 0.5*sin(th8-th8)*w8^2 + 64*(cos(th8)*Fy - sin(th8)*Fx);
  annotation(experiment(StopTime = 5));
end Beam;

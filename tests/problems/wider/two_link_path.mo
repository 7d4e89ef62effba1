// Arm of two links whose tip follows a given path, torques unknown: index 3.
model TwoLinkPath
  parameter Real m1 = 1, m2 = 0.8, l1 = 1, l2 = 0.9, g = 9.81;
  Real q1(start = 0.3), q2(start = 1.2), w1, w2, t1, t2;
equation
  der(q1) = w1;
  der(q2) = w2;
  (m1+m2)*l1^2*der(w1)+m2*l1*l2*cos(q1-q2)*der(w2)+m2*l1*l2*sin(q1-q2)*w2^2+(m1+m2)*g*l1*cos(q1) = t1-t2;
  m2*l2^2*der(w2)+m2*l1*l2*cos(q1-q2)*der(w1)-m2*l1*l2*sin(q1-q2)*w1^2+m2*g*l2*cos(q2) = t2;
  l1*cos(q1)+l2*cos(q2) = 1.1+0.3*cos(2*time);
  l1*sin(q1)+l2*sin(q2) = 0.9+0.3*sin(2*time);
  annotation(experiment(StopTime = 4));
end TwoLinkPath;

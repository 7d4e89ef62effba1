// Five rods that fall from the horizontal, Cartesian: index 3.
model FallingChain
  Real x1(start = 1), y1(start = 0), u1(start = 0), v1(start = 0), l1(start = 0);
  Real x2(start = 2), y2(start = 0), u2(start = 0), v2(start = 0), l2(start = 0);
  Real x3(start = 3), y3(start = 0), u3(start = 0), v3(start = 0), l3(start = 0);
  Real x4(start = 4), y4(start = 0), u4(start = 0), v4(start = 0), l4(start = 0);
  Real x5(start = 5), y5(start = 0), u5(start = 0), v5(start = 0), l5(start = 0);
equation
  der(x1) = u1;
  der(y1) = v1;
  der(u1) = -l1*x1+l2*(x2-x1);
  der(v1) = -l1*y1+l2*(y2-y1)-9.81;
  x1^2+y1^2 = 1;
  der(x2) = u2;
  der(y2) = v2;
  der(u2) = -l2*(x2-x1)+l3*(x3-x2);
  der(v2) = -l2*(y2-y1)+l3*(y3-y2)-9.81;
  (x2-x1)^2+(y2-y1)^2 = 1;
  der(x3) = u3;
  der(y3) = v3;
  der(u3) = -l3*(x3-x2)+l4*(x4-x3);
  der(v3) = -l3*(y3-y2)+l4*(y4-y3)-9.81;
  (x3-x2)^2+(y3-y2)^2 = 1;
  der(x4) = u4;
  der(y4) = v4;
  der(u4) = -l4*(x4-x3)+l5*(x5-x4);
  der(v4) = -l4*(y4-y3)+l5*(y5-y4)-9.81;
  (x4-x3)^2+(y4-y3)^2 = 1;
  der(x5) = u5;
  der(y5) = v5;
  der(u5) = -l5*(x5-x4);
  der(v5) = -l5*(y5-y4)-9.81;
  (x5-x4)^2+(y5-y4)^2 = 1;
  annotation(experiment(StopTime = 1.5));
end FallingChain;

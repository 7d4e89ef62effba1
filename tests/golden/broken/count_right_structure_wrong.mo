model M
  Real x(start=1), y, z;
equation
  der(x) = -x + y;
  y = 2*x;
  y + x = 3*time;
end M;

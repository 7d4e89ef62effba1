model M
  Real x, y;
equation
  x + y = 3;
  2*x + 2*y = 6;
end M;

model Over
  Real x, y;
equation
  der(x) = -x;
  y = 2*x;
  y + x = 3;
end Over;

model M
  Real x(start=1), y;
equation
  der(x) = -k*x;
  y = cosine(x);
  z = y;
end M;

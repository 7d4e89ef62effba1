model Decay
  Real x(start=1), y;
equation
  der(x) = -x;
  y = 2*x;
  x + y = 3;
end Decay;

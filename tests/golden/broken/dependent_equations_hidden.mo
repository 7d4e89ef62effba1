model Balance
  Real a, b, c(start=1);
equation
  der(c) = a - b;
  a - b = c;
  b - a + c = 0;
end Balance;

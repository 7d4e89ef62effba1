model Blow
  Real x(start=0, fixed=true), a, b;
equation
  der(x) = 1;
  a + b = 2;
  2*a + 2*x*b = 5;
end Blow;

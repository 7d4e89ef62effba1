model M
  input Real u;
  Real x(start=1);
equation
  der(x) = u - x;
end M;

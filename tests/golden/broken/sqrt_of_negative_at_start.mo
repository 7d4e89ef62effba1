model M
  Real x(start=-1, fixed=true);
equation
  der(x) = sqrt(x);
end M;

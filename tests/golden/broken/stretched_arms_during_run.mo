model Arms
  Real p(start=0.5), q(start=1), x(start=1.5,fixed=true);
equation
  der(x) = 1;
  cos(p) + cos(p+q) = x;
  sin(p) + sin(p+q) = 0;
end Arms;

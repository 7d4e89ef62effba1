model Cross
  Real x(start=1, fixed=true), y(start=0), u(start=-1, fixed=true), v(start=0), l;
equation
  der(x) = u;
  der(y) = v;
  der(u) = l*y;
  der(v) = l*x - 1;
  x*y = 0;
end Cross;

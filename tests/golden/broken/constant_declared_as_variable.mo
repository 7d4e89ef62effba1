model Spring
  Real x(start=1), v(start=0);
  Real k(start=5) "stiffness";
equation
  der(x) = v;
  der(v) = -k*x;
end Spring;

model FixedDer "fixed start of a velocity alias and an over-determined acceleration"
  Real x(start=1, fixed=true), v(start=0, fixed=true), a(start=5, fixed=true);
equation
  der(x) = v; der(v) = a; a = -4*x;
end FixedDer;

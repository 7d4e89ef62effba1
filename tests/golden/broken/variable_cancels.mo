model Trap "cancels: a - a"
  Real a(start=1, fixed=true), b;
equation
  der(a) = -a;
  b - b + a = 1;
end Trap;

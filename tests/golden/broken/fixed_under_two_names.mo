model FixedAlias "fixed on two names of the same thing, contradicting"
  Real a(start=1, fixed=true), b(start=2, fixed=true);
equation
  a = b;
  der(a) = -a;
end FixedAlias;

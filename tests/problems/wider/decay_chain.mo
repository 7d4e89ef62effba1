// Radioactive chain over 1e11 seconds, rates from 5e-10 to 3e-2.
model DecayChain
  Real a(start = 1, fixed = true), b(start = 0, fixed = true), c(start = 0, fixed = true), d(start = 0, fixed = true), s;
equation
  der(a) = -4.9e-18*1e8*a;
  der(b) = 4.9e-10*a-3.3e-7*b;
  der(c) = 3.3e-7*b-2.9e-2*c;
  der(d) = 2.9e-2*c;
  s = a+b+c+d;
  annotation(experiment(StopTime = 1e11));
end DecayChain;

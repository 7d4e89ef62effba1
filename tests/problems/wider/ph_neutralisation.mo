// Weak acid and strong base in a stirred tank: the acidity spans decades.
model PhNeutralisation
  parameter Real Ka = 1.8e-5, Kw = 1e-14, V = 100, Fa = 1, Ca = 0.1, Cb = 0.1;
  Real a(start = 0.05, fixed = true), b(start = 0.0, fixed = true), H(start = 1e-3, nominal = 1e-6), pH(start = 3), Fb;
equation
  Fb = 0.9 + 0.25*sin(0.05*time);
  V*der(a) = Fa*Ca-(Fa+Fb)*a;
  V*der(b) = Fb*Cb-(Fa+Fb)*b;
  b + H = Kw/H + a*Ka/(Ka+H);
  pH = -log10(H);
  annotation(experiment(StopTime = 500));
end PhNeutralisation;

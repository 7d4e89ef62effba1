// Vessel that fills through a nozzle, choked at first.
model Choked
  Real p(start = 1e5, fixed = true, nominal = 1e5), T(start = 300, fixed = true, nominal = 300), m, md, pr;
equation
  m = p*0.1/(287*T);
  pr = p/1e6;
  md = if pr<0.528 then 1e-5*1e6*0.6847/sqrt(287*300) else 1e-5*1e6/sqrt(287*300)*sqrt(max(7*(pr^1.42857-pr^1.71429), 0));
  der(m) = md;
  0.1/(0.4)*der(p) = 1.4*287/0.4*300*md-0.2*(T-300);
  annotation(experiment(StopTime = 300));
end Choked;

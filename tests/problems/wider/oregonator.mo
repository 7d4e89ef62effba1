// Belousov-Zhabotinskii reaction; Field & Noyes 1974, HW IV.10 (OREGO). Stiff ODE with sharp relaxation.
model Oregonator
  Real y1(start = 1, fixed = true);
  Real y2(start = 2, fixed = true);
  Real y3(start = 3, fixed = true);
equation
  der(y1) = 77.27*(y2 + y1*(1 - 8.375e-6*y1 - y2));
  der(y2) = (y3 - (1 + y1)*y2)/77.27;
  der(y3) = 0.161*(y1 - y3);
  annotation(experiment(StopTime = 360));
end Oregonator;

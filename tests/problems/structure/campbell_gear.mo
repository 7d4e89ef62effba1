// HW (1.32) with m = 3, Campbell & Gear (1995); S (47): differentiation index 1, perturbation index 3
model CampbellGear
  Real y1, y2, y3;
equation
  y3*der(y2) + y1 = 0;
  y3*der(y3) + y2 = 0;
  y3 = 0;
  annotation(experiment(StopTime=1));
end CampbellGear;

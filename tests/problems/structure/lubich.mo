// HW (1.31), Lubich: differentiation index 1, perturbation index 2
model Lubich
  Real y1(start=0), y2, y3;
equation
  der(y1) - y3*der(y2) + y2*der(y3) = 0;
  y2 = 0;
  y3 = 0;
  annotation(experiment(StopTime=1));
end Lubich;

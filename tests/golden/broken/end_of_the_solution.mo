model Fold
  Real x(start=1, fixed=true), y(start=1);
equation
  der(x) = -1;
  y^2 = x;
end Fold;

model Slider
  Real x(start=0, fixed=true), y(start=0, fixed=true);
equation
  der(x) = 1;
  y^2 = x;
end Slider;

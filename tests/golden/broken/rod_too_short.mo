model SliderImpossible "rod too short to reach"
  parameter Real r=2, l=1;
  Real phi(start=1.57079632679, fixed=true), x(start=1), th(start=0);
equation
  der(phi) = 1;
  x = r*cos(phi) + l*cos(th);
  0 = r*sin(phi) - l*sin(th);
end SliderImpossible;

// Trolley crane whose load follows a given path, trolley force and winch torque unknown (after Blajer, Kolodziejczyk 2007): index 5.
model CranePath
  parameter Real mt = 10, m = 100, J = 0.1, r = 0.1, g = 9.81;
  Real s, l(start = 4), x, y, F, T(start = 900), N, th(start = 0), der_s, vx, vy, vl;
equation
  x = 2*sin(0.5*time)^2 + 0.1*time;
  y = 4 - 0.5*sin(0.4*time)^2;
  mt*der(der_s) = F + T*sin(th);
  der(s) = der_s;
  m*der(vx) = -T*sin(th);
  der(x) = vx;
  m*der(vy) = m*g - T*cos(th);
  der(y) = vy;
  J/r^2*der(vl) = T - N/r;
  der(l) = vl;
  x = s + l*sin(th);
  y = l*cos(th);
  annotation(experiment(StopTime = 6));
end CranePath;

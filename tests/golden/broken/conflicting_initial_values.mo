model Pendulum
  Real x(start=1, fixed=true), y(start=0.5, fixed=true);
  Real u(start=0), v(start=0), lambda;
equation
  der(x) = u;
  der(y) = v;
  der(u) = -x*lambda;
  der(v) = -y*lambda - 9.81;
  x^2 + y^2 = 1;
end Pendulum;

model Pendulum
  Real x(start=1, fixed=true), y(start=0);
  Real u(start=1, fixed=true), v(start=0), lambda;
equation
  der(x) = u;
  der(y) = v;
  der(u) = -x*lambda;
  der(v) = -y*lambda - 9.81;
  x^2 + y^2 = 1;
end Pendulum;

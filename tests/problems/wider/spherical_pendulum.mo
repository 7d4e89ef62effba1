// Pendulum in space with quadratic drag: index 3.
model SphericalPendulum
  Real x(start = 1), y(start = 0), z(start = 0), u(start = 0), v(start = 1.5), w(start = 0), l;
equation
  der(x) = u;
  der(y) = v;
  der(z) = w;
  der(u) = -l*x-0.05*u*sqrt(u^2+v^2+w^2+1e-6);
  der(v) = -l*y-0.05*v*sqrt(u^2+v^2+w^2+1e-6);
  der(w) = -l*z-9.81-0.05*w*sqrt(u^2+v^2+w^2+1e-6);
  x^2+y^2+z^2 = 1;
  annotation(experiment(StopTime = 5));
end SphericalPendulum;

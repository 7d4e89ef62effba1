// A chain of N masses on massless rods, hung up at one end and let go horizontally: N constraints on positions, index 3.
// `n` is the size; for another one, write below: model Longer extends Chain(n = 40); end Longer;
model Chain "A chain of n links in Cartesian coordinates, index 3"
  parameter Integer n = 10;
  parameter Real length(unit = "m") = 1 "of the whole chain";
  parameter Real m(unit = "kg") = 1 "of the whole chain";
  parameter Real g(unit = "m/s2") = 9.81;
  Real x[n](start = {i*length/n for i in 1:n}), y[n](each start = 0);
  Real u[n](each start = 0), v[n](each start = 0);
  Real pull[n] "force in each rod, per length";
  Real energy;
equation
  for i in 1:n loop
    der(x[i]) = u[i];
    der(y[i]) = v[i];
    m/n*der(u[i]) = -pull[i]*(x[i] - (if i > 1 then x[max(i - 1, 1)] else 0))
                    + (if i < n then pull[min(i + 1, n)]*(x[min(i + 1, n)] - x[i]) else 0);
    m/n*der(v[i]) = -pull[i]*(y[i] - (if i > 1 then y[max(i - 1, 1)] else 0))
                    + (if i < n then pull[min(i + 1, n)]*(y[min(i + 1, n)] - y[i]) else 0) - m/n*g;
    (x[i] - (if i > 1 then x[max(i - 1, 1)] else 0))^2 + (y[i] - (if i > 1 then y[max(i - 1, 1)] else 0))^2 = (length/n)^2;
  end for;
  energy = m/n*(u*u + v*v)/2 + m/n*g*sum(y);
  annotation(experiment(StopTime = 1, Tolerance = 1e-6));
end Chain;

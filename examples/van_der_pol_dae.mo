// The Van der Pol oscillator without its fast time scale (S (41)), index 1 as long as z^2 <> 1.
//
// In Lienard's coordinates the oscillator reads der(y) = -z, epsilon*der(z) = y - z^3/3 + z. With epsilon = 0 the
// second equation is a constraint: a cubic curve, on whose outer branch the point slides down until the curve folds
// back at z = 1. There the constraint can no longer be solved for z, der(z) is infinite, and the solution ends (the
// real oscillator jumps to the other branch). From z = 2 the fold is reached at t = 3/2 - ln(2) = 0.80685..., well
// before the StopTime given below: a solver has to notice.
model VanDerPolDAE "Reduced Van der Pol equation, runs into its fold"
  Real y(start = 2/3) "slow coordinate";
  Real z(start = 2, fixed = true) "position";
equation
  der(y) = -z;
  0 = y - z^3/3 + z;
  annotation(experiment(StopTime = 2, Tolerance = 1e-6));
end VanDerPolDAE;

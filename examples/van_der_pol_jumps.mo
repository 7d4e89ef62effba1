// The reduced Van der Pol oscillator (S (41)) with the jumps that the real one makes where its curve folds.
//
// On the curve y = z^3/3 - z the equation der(y) = -z reads (z^2 - 1)*der(z) = -z. The point slides along an outer branch
// until the curve folds back at z = 1 or z = -1; there it jumps, in no time, to the other branch at the same y, that is
// to z = -2 or z = 2. From 2 to 1 it takes 3/2 - ln(2) = 0.80685...: twice that is the period of the oscillator in the
// limit epsilon = 0.
model VanDerPolJumps "Reduced Van der Pol equation, relaxation oscillation"
  parameter Real near = 1e-4 "how near to the fold: der(z) is infinite there, and the time left is near^2/2";
  Real y "slow coordinate";
  Real z(start = 2, fixed = true) "position";
  discrete Real side(start = 1, fixed = true) "1 on the right branch, -1 on the left one";
equation
  (z^2 - 1)*der(z) = -z;
  y = z^3/3 - z;
  when side*z < 1 + near then
    side = -pre(side);
    reinit(z, -2*pre(side));
  end when;
  annotation(experiment(StopTime = 4, Tolerance = 1e-8));
end VanDerPolJumps;

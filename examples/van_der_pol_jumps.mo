// The reduced Van der Pol oscillator (S (41)) with the jumps that the real one makes where its curve folds.
//
// On the curve y = z^3/3 - z the equation der(y) = -z reads (z^2 - 1)*der(z) = -z. The point slides along an outer branch
// until the curve folds back, where the factor of der(z) vanishes; there it jumps, in no time, to the other branch at the
// same y. Points z and w of the curve with the same y have w^3 - 3*w = z^3 - 3*z, that is w^2 + w*z + z^2 = 3 where they
// differ: a quadratic for w, whose root on the other side is taken. From 2 to the fold at 1 it takes 3/2 - ln(2) = 0.80685...: twice that is the period of the oscillator in the
// limit epsilon = 0.
model VanDerPolJumps "Reduced Van der Pol equation, relaxation oscillation"
  parameter Real near = 2e-4 "z^2 - 1 at the jump: der(z) is infinite at the fold, and the time left is near^2/8";
  Real y "slow coordinate";
  Real z(start = 2, fixed = true) "position";
  discrete Real side(start = 1, fixed = true) "1 on the right branch, -1 on the left one";
equation
  (z^2 - 1)*der(z) = -z;
  y = z^3/3 - z;
  when z^2 - 1 < near then
    side = -pre(side);
    reinit(z, -(z + pre(side)*sqrt(12 - 3*z^2))/2);
  end when;
  annotation(experiment(StopTime = 4, Tolerance = 1e-8));
end VanDerPolJumps;

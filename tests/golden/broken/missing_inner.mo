package P
  model World
    Real g = 9.81;
  end World;
  model Ball
    outer World world;
    Real v(start = 0, fixed = true);
  equation
    der(v) = -world.g;
  end Ball;
  model MissingInner
    Ball b;
  end MissingInner;
end P;

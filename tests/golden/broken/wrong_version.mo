model WrongVersion
  Parts.Source s;
  Real x;
equation
  x = s.y;
  annotation(uses(Parts(version = "1.0")));
end WrongVersion;

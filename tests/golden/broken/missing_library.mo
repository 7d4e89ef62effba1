model MissingLibrary
  Modelica.Blocks.Sources.Sine s;
  Real x = s.y;
end MissingLibrary;

model MissingImport
  import Parts.Electrical.Resistor;
  Resistor r;
end MissingImport;

model NotAConnector
  Real a = time;
  Real b;
equation
  connect(a, b);
end NotAConnector;

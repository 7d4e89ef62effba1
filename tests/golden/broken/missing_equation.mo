model Tank
  Real level(start=1), inflow, outflow;
equation
  der(level) = inflow - outflow;
  outflow = 0.1*level;
end Tank;

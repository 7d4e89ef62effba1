model ArraySizesDiffer
  Real a[3] = {1, 2, 3}*time;
  Real b[2];
equation
  b = a;
end ArraySizesDiffer;

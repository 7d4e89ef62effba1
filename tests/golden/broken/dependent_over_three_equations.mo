model Loop
  Real i1, i2, i3;
equation
  i1 - i2 = 1;
  i2 - i3 = 2;
  i3 - i1 = -3;
end Loop;

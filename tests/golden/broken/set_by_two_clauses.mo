model SetByTwoClauses
  discrete Real n;
  Real a[1] = {time};
equation
  when time > 1 then
    n = 1;
  end when;
  n = a[1];
end SetByTwoClauses;

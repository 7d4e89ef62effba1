model ConditionIsANumber
  Real x;
  Real a[2];
equation
  a = {time, 1};
  x = if a[1] then 1 else 2;
end ConditionIsANumber;

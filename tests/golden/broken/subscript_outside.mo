model SubscriptOutside
  Real a[3] = {1, 2, 3}*time;
  Real b = a[4];
end SubscriptOutside;

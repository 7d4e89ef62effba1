model ContainsItself
  Real x = 1;
  ContainsItself inside[2];
end ContainsItself;

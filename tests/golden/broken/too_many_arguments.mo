model TooManyArguments
  function f
    input Real u;
    output Real y;
  algorithm
    y := 2*u;
  end f;
  Real x = f(time, 2);
end TooManyArguments;

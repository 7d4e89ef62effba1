package P
  partial model Base
    Real x;
  end Base;
  model PartialComponent
    Base b;
  equation
    b.x = 1;
  end PartialComponent;
end P;

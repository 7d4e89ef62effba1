package P
  model Clock
    Real t = hidden;
  protected
    Real hidden = time;
  end Clock;
  model ProtectedFromOutside
    Clock c;
    Real x = c.hidden;
  end ProtectedFromOutside;
end P;

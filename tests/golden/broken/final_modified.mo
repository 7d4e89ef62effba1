package P
  model Wheel
    final parameter Real pi = 3;
    Real x = pi*time;
  end Wheel;
  model FinalModified
    Wheel w(pi = 4);
  end FinalModified;
end P;

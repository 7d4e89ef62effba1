package P
  partial model Medium
    Real rho;
  end Medium;
  model Tank
    replaceable model M = Medium;
    M m;
    Real mass = 2*m.rho;
  end Tank;
  model MissingRedeclare
    Tank t;
  end MissingRedeclare;
end P;

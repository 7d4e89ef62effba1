package P
  connector Pin
    Real v;
    flow Real i;
  end Pin;
  partial model Two
    Pin p, n;
    Real u = p.v - n.v;
  equation
    p.i + n.i = 0;
  end Two;
  model Resistor
    extends Two;
    parameter Real R = 1;
  equation
    u = R*p.i;
  end Resistor;
  model Source
    extends Two;
  equation
    u = sin(time);
  end Source;
  model Ground
    Pin p;
  equation
    p.v = 0;
  end Ground;
  model Circuit
    Source s;
    Resistor r;
    Ground g;
  equation
    connect(s.p, r.pp);
    connect(r.n, g.p);
    connect(s.n, g.p);
  end Circuit;
end P;

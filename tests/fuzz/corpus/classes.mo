package Classes
  connector Pin
    Real v(unit = "V");
    flow Real i(unit = "A");
  end Pin;
  connector In = input Real;
  partial model Two "two pins"
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
  model Capacitor
    extends Two(u(start = 0, fixed = true));
    constant Real C = 1e-3;
  equation
    C*der(u) = p.i;
  end Capacitor;
  record Point
    Real x, y[2];
  end Point;
  function length
    input Point p;
    output Real l;
  algorithm
    l := sqrt(p.x^2 + p.y*p.y);
    for k in 1:2 loop
      l := if l > 1 then l/2 else l;
    end for;
  end length;
  model Ladder
    parameter Integer n = 2;
    replaceable model Load = Resistor(R = 2) constrainedby Two;
    inner Real g = 9.81;
    Load r[n];
    Capacitor c[n];
    Pin source, ground;
    Real l = length(Point(time, {1, time}));
    Boolean high[n], any = sum(if high[k] then 1 else 0 for k in 1:n) > 0;
    Integer count(start = 0);
  protected
    type Mode = enumeration(off, on);
    Mode mode = if any then Mode.on else Mode.off;
  equation
    connect(source, r[1].p);
    for k in 1:n loop
      connect(r[k].n, c[k].p);
      connect(c[k].n, ground);
      high[k] = c[k].u > 0.3*k;
    end for;
    connect(r[2].p, r[1].n);
    when {high[1], sample(0.1, 0.2)} then
      count = pre(count) + 1;
    elsewhen initial() then
      count = 0;
    end when;
  algorithm
    assert(g > 0, "gravity");
  end Ladder;
  model Main
    Ladder a(n = 3, redeclare model Load = Resistor), b if true;
    outer Real g;
  equation
    a.source.v = 1;
    a.ground.v = 0;
    b.source.v = 2;
    b.ground.v = 0;
  initial equation
    pre(a.count) = 1;
    annotation(experiment(StopTime = 1));
  end Main;
end Classes;

within A.B;
package P "p"
  import SI = Modelica.Units.SI; import Modelica.Math.*; import A.{B, C};
  type Kind = enumeration(one "first", two);
  type L = Real(final unit = "m", min = 0);
  connector Pin Real v; flow Real i; end Pin;
  partial model Base
    replaceable model Inner = Other constrainedby Another(p = 1);
    parameter Integer n(min = 1) = 3; Pin pins[n]; Real x[n] = {i^2 for i in 1:n}; input Real u;
  equation
    for i in 1:n loop x[i] = sum(x[k] for k in 1:i); end for;
    when {initial(), x[1] > 2} then u = pre(u); elsewhen sample(0, 1) then reinit(x[1], 0); end when;
    connect(pins[1], p2[1, 1]); (a, , b) = f(x[end]);
  algorithm
    while y > 0 loop y := y - 1; if y < 1 then break; else return; end if; end while;
    (a, b) := f(y, z = [1, 2; 3, 4]);
  end Base;
  model Derived extends Base(redeclare model Inner = Yet(k = 2), final n = 4, each x(start = 1)); end Derived;
  function f input Real x; output Real y; external "C" y = fun(x); end f;
  function df = der(f, x);
end P;

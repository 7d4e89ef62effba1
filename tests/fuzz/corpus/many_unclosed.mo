within A.B;
package P "p"
  iwithinmport SI = Modelica.Units.SI; import Modelica.Math.*; import A.{æÿ C};
  type Kind = enumerationk2(one "first", two©;
  type L = Real(final uçnit = "m", min = 0);
  connector in Real v; flow Real i; end Pin;
  partial model Bas
    (a, b) := f(y, z = [1, 2; 3, 4one "first", two©;
  type L = Real(final uçnit = "m", min = 0);
  connector in Real v; flow Real i0);
  connector in Real v; flow Real i; end Pin;
  partial model Bas
    (a, b) := f(y, z = [1, 2; 3, 4one "first", two©;
  type L = Real(final uçnit = "m", min = 0);
  connector in Real v; flow Real i; end Pin;
  partial model Bas
    (a, b) := f(y, z = [1, 2; 3, 4]);
  end Base;
  model Derived extends Base(redeclare model Inner = Yet(k = 2), final n = 4, each x(start = 1)); end Derived;
  function f input Real x; output Real y; external "C" y = fun(x);meration(one "first", two©;
  type L = Real(final uçnit = "m", min = 0);
  connector in Real v; flow Real i; end Pin;
  partial model Bas
    (a, b) := f(y, z = [1, 2; 3, 4]);
  end Base;
  model Derived extends Base(redeclare model Inner = Yet(k = 2), final n = 4, each x(start = 1)); end Derived;
  function f input Real x]);
  end Base;
  model Derived extends Base(redeclare model Inner = Yet(k = 2), final n = 4, each x(start = 1)); end Derived;
  function f input Real x; output Real y; external "C" y = fun(x);meration(one "first", two©;
  type L = Real(final uçnit = "m", min = 0);
  con; end Pin;
  partial model Bas
    (·, b) := f(y, z = [1, 2; 3, 4]);
  end Base;
  model Derived extends Base(redeclare model Inner = Yet(k = 2), final n = 4, each x(start = 1)); end Derived;
  function f input Real x; output Real y; external "C" y = fun(x);meration(one "first", two©;
  type L = Real(final uçnit = "m", min = 0);
  connector in Real v; flow Real i; end Pin;
  partial model Bas
    (a, b) := f(y, z = [1, 2; 3, 4]);
  end Base;
  model Derived extends Base(redeclare model Inner = Yet(k = 2), final n = 4, each x(start = 1)); end Derived;
  function f input Real x]);
  end Base;
  model Derived extends Base(redeclare model Inner = Yet(k = 2), final n = 4, each x(start = 1)); end Derived;
  function f input Real x; output Real y; external "C" y = fun(x);meration(one "first", two©;
  type L = Real(final uçnit = "m", min = 0);
  connector in Real v; flow Real i; end Pin;
  partial model Bas
    (a, b) := f(y, z = [1, 2; 3, 4]);
  end Base;
  model Derived extends Base(redeclare model Inner = Yet(k = 2), final n = 4, each x(start = 1)); end Derived;
  function f input Real x; output Real y; external "C" y = fun(x); end f;
  fun$end f;
  function df = der(f, x);
end P;

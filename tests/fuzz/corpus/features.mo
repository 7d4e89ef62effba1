type Length = Real(unit = "m", min = 0);
model Features "many things at once"
  import Modelica.Constants.pi;
  import SI = Modelica.Units.SI;
  parameter Boolean big = n > 2;
  parameter Integer n = 3 "count";
  constant Real c = 2*pi;
  final parameter Real k(unit = "s") = c*n^2 - mod(7, n);
  Length h(start = k + 1, max = 2*k, fixed = not false, stateSelect = StateSelect.prefer);
  SI.Velocity v; Real 'odd name' = if time > 1 and not h < 2 then 1e-3 else .5;
  input Real u = sin(time); Real w, z;
initial equation
  v = 3;
equation
  der(h) = v; der(der(w)) = -w + smooth(1, noEvent(abs(w)));
  if big then der(v*h) = homotopy(actual = u, simplified = 0); else v = 1; end if;
  if time > 1 then z = 1; elseif time > 0.5 then z = semiLinear(w, 1, 2); else 0 = z - div(3, 2); end if;
  assert(h > 0, "message");
  annotation(experiment(StopTime = 10, Tolerance = 1e-6));
end Features;

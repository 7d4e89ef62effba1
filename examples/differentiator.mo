// A circuit that differentiates its input (S, section 2.3): a resistor from the source to the input of an ideal
// operational amplifier, an inductor in its feedback.
//
// The amplifier holds its input at zero volts, so the current V/R through the resistor, which also flows through the
// inductor, is prescribed; the output is minus the voltage that this current needs in the inductor,
//     V3 = -L/R * dV/dt.
// Nothing is left to integrate: the index is 2, no start value is free, and the solution contains the derivative of
// the input.
model Differentiator "Differentiator circuit, index 2"
  constant Real pi = Modelica.Constants.pi;
  parameter Real R(unit = "Ohm") = 100 "resistor";
  parameter Real L(unit = "H") = 0.1 "inductor";
  parameter Real amplitude(unit = "V") = 1 "of the source";
  parameter Real frequency(unit = "Hz") = 50 "of the source";
  Real V1(unit = "V") "source voltage";
  Real V2(unit = "V") "input of the amplifier";
  Real V3(unit = "V") "output of the amplifier";
  Real I(unit = "A") "current of the source";
  Real I_L(unit = "A") "current of the inductor";
  Real I_V(unit = "A") "output current of the amplifier";
equation
  I + (V1 - V2)/R = 0 "current law at the source";
  -(V1 - V2)/R + I_L = 0 "current law at the input of the amplifier";
  -I_L + I_V = 0 "current law at the output of the amplifier";
  V1 = amplitude*sin(2*pi*frequency*time) "source";
  V2 = 0 "ideal amplifier";
  V2 - V3 = L*der(I_L) "inductor";
  annotation(experiment(StopTime = 0.1, Tolerance = 1e-6));
end Differentiator;

// Oscillator with an amplifier of gain 1e5 and diodes: definitions amplify round-off.
model WienBridge
  parameter Real R = 1e4, C = 1.6e-8, A = 1e5, Rf = 2.1e4, Rg = 1e4;
  Real v1(start = 0.1, fixed = true), v2(start = 0.05, fixed = true), vo, vm, i1, id;
equation
  vo = 12*tanh(A*(v2-vm)/12);
  i1 = (vo-v1-v2)/R;
  C*der(v1) = i1;
  C*der(v2) = i1-v2/R;
  id = 1e-9*2*sinh((vo-vm)/0.05);
  (vo-vm)/Rf+id = vm/Rg;
  annotation(experiment(StopTime = 0.01));
end WienBridge;

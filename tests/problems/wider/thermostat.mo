// Two rooms, a heater with hysteresis by pre().
model Thermostat
  Real T1(start = 15, fixed = true), T2(start = 12, fixed = true), Q;
  Boolean on(start = true, fixed = true);
equation
  Q = if on then 5 else 0;
  der(T1) = Q - 0.2*(T1-T2) - 0.05*(T1-5);
  der(T2) = 0.2*(T1-T2) - 0.1*(T2-5-3*sin(0.1*time));
  on = if pre(on) then T1 < 22 else T1 < 20;
  annotation(experiment(StopTime = 100));
end Thermostat;

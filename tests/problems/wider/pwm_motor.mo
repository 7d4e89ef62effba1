// Motor at a switched source: 120 instants whose place depends on time alone.
model PwmMotor
  Real i(start = 0, fixed = true), w(start = 0, fixed = true), u, duty;
equation
  duty = 0.5+0.3*sin(3*time);
  u = if mod(time, 0.005) < 0.005*duty then 12 else 0;
  0.001*der(i) = u-0.5*i-0.05*w;
  1e-4*der(w) = 0.05*i-1e-4*w-0.005*tanh(10*w);
  annotation(experiment(StopTime = 0.3));
end PwmMotor;

model Wheel
  Real phi, omega(start=1), torque;
equation
  der(phi) = omega;
  der(omega) = torque;
end Wheel;

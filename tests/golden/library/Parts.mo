package Parts
  model Source
    Real y = time;
  end Source;
  annotation(version = "2.0");
end Parts;

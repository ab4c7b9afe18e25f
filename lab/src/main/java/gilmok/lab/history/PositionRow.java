package gilmok.lab.history;

/** What a record of a position has. It is used again for each one. Not thread-safe. */
final class PositionRow {
  long sequence;
  long receivedAt;
  long happenedAt;
  long keyHigh;
  long keyLow;
  int latE7;
  int lonE7;
  int accuracyTenths;
  int speedTenths;
  int bearing;
  int altitudeTenths;
  int batteryHundredths;

  /** The number of the delivery; -1 for none. */
  long delivery;
}

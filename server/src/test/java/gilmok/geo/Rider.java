package gilmok.geo;

/** A spot of the tests, with the number that it is told apart by. */
final class Rider extends IndexedPoint {
  final int number;

  Rider(int number) {
    this.number = number;
  }

  @Override
  public String toString() {
    return number + " at " + latE7(point()) + ", " + lonE7(point());
  }
}

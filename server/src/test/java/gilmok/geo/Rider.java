package gilmok.geo;

/** A spot with a number that tells it apart. */
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

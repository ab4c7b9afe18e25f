package gilmok.history.trip;

/**
 * The sums of some steps from point to point. Whole numbers, so the order of adding does not
 * matter. Not thread-safe: owned by a {@link StayFinder}.
 */
final class Way {
  /** Who is slower than this, in metres a second, is idle. */
  static final double IDLE_SPEED = 1;

  private long steps;
  private long millimetres;
  private long movingMillis;
  private long idleMillis;

  long steps() {
    return steps;
  }

  long millimetres() {
    return millimetres;
  }

  long movingMillis() {
    return movingMillis;
  }

  long idleMillis() {
    return idleMillis;
  }

  /** Adds a step. A jump takes time, but is no way that somebody went. */
  void add(double metres, long millis) {
    steps++;
    boolean isJump = !FixFilter.isPossible(metres, millis);
    millimetres += isJump ? 0 : Math.round(metres * 1_000);
    if (isJump || metres * 1_000 < IDLE_SPEED * millis) {
      idleMillis += millis;
    } else {
      movingMillis += millis;
    }
  }

  void add(Way other) {
    steps += other.steps;
    millimetres += other.millimetres;
    movingMillis += other.movingMillis;
    idleMillis += other.idleMillis;
  }

  void clear() {
    steps = 0;
    millimetres = 0;
    movingMillis = 0;
    idleMillis = 0;
  }
}

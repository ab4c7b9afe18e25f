package gilmok.lab.firehose;

/** So much a second, a second's worth of it at once. Not thread-safe. */
final class Bucket {
  private final double perSecond;
  private double left;
  private long filledNanos;

  /**
   * @param perSecond 0 for without a bound
   */
  Bucket(long perSecond, long nowNanos) {
    this.perSecond = perSecond;
    this.left = perSecond;
    this.filledNanos = nowNanos;
  }

  /** Takes that much if it is there. */
  boolean take(long amount, long nowNanos) {
    if (perSecond == 0) {
      return true;
    }
    left = Math.min(perSecond, left + (nowNanos - filledNanos) / 1e9 * perSecond);
    filledNanos = nowNanos;
    if (left < amount) {
      return false;
    }
    left -= amount;
    return true;
  }
}

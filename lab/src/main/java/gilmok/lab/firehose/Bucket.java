package gilmok.lab.firehose;

/** A token bucket: a rate a second, with a burst of one second. Not thread-safe. */
final class Bucket {
  private final double perSecond;
  private double left;
  private long filledNanos;

  /**
   * A full bucket.
   *
   * @param perSecond the rate; 0 for no limit
   */
  Bucket(long perSecond, long nowNanos) {
    this.perSecond = perSecond;
    this.left = perSecond;
    this.filledNanos = nowNanos;
  }

  /** Takes an amount if it is available; returns whether it was. */
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

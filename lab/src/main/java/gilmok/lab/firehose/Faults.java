package gilmok.lab.firehose;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The faults of a {@link Firehose}; none at first. Shares are from 0 to 1. They may be changed
 * while it runs. Thread-safe.
 */
public final class Faults {
  private volatile double failed;
  private volatile double throttled;
  private volatile double broken;
  private volatile double lost;
  private volatile double hanging;
  private volatile Duration hang = Duration.ofSeconds(30);
  private volatile Duration delay = Duration.ZERO;
  private volatile double late;
  private volatile Duration worst = Duration.ZERO;
  private volatile @Nullable String poison;

  /** Refuses this share of the records of each batch individually. */
  public Faults failRecords(double share) {
    failed = share(share);
    return this;
  }

  /** Answers this share of the calls with "Slow down." and keeps nothing of them. */
  public Faults throttle(double share) {
    throttled = share(share);
    return this;
  }

  /** Answers this share of the calls with 500 and keeps nothing of them. */
  public Faults breakDown(double share) {
    broken = share(share);
    return this;
  }

  /**
   * Closes the connection instead of responding to this share of the calls, and keeps all their
   * records.
   */
  public Faults loseAnswers(double share) {
    lost = share(share);
    return this;
  }

  /**
   * Answers this share of the calls only after a time. Half of them are kept all the same, so that
   * a caller cannot know; the others are answered 500.
   */
  public Faults hang(double share, Duration time) {
    hang = time;
    hanging = share(share);
    return this;
  }

  /** Delays every response by the same time. */
  public Faults delay(Duration time) {
    worst = time;
    delay = time;
    late = 0;
    return this;
  }

  /**
   * Delays responses by half to one and a half of the usual time, and this share of them by up to
   * the worst time.
   */
  public Faults delay(Duration usual, double lateShare, Duration worstTime) {
    worst = worstTime;
    delay = usual;
    late = share(lateShare);
    return this;
  }

  /** Refuses calls for good if one of their records contains this text; null for none. */
  public Faults poison(@Nullable String marker) {
    poison = marker;
    return this;
  }

  /** Removes all faults. */
  public Faults none() {
    return failRecords(0)
        .throttle(0)
        .breakDown(0)
        .loseAnswers(0)
        .hang(0, hang)
        .delay(Duration.ZERO)
        .poison(null);
  }

  double failed() {
    return failed;
  }

  double throttled() {
    return throttled;
  }

  double broken() {
    return broken;
  }

  double lost() {
    return lost;
  }

  double hanging() {
    return hanging;
  }

  @Nullable String poison() {
    return poison;
  }

  long hangMillis() {
    return hang.toMillis();
  }

  /**
   * The delay of one response, in milliseconds.
   *
   * @param dice 0 to 1: whether it is late
   * @param amount 0 to 1: how far it is from the usual time
   */
  long delayMillis(double dice, double amount) {
    long usual = delay.toMillis();
    if (dice < late) {
      return usual + (long) ((worst.toMillis() - usual) * amount);
    }
    return late == 0 ? usual : (long) (usual * (0.5 + amount));
  }

  private static double share(double share) {
    if (share < 0 || share > 1) {
      throw new IllegalArgumentException("a share is 0 to 1, not " + share);
    }
    return share;
  }
}

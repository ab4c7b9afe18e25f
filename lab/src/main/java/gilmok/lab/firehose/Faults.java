package gilmok.lab.firehose;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How a {@link Firehose} misbehaves: nothing, at first. Shares are 0 to 1. May be changed while it
 * runs. Thread-safe.
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

  /** This share of the records of each batch is refused with an error of its own. */
  public Faults failRecords(double share) {
    failed = share(share);
    return this;
  }

  /** This share of the calls is answered "Slow down.", nothing of it kept. */
  public Faults throttle(double share) {
    throttled = share(share);
    return this;
  }

  /** This share of the calls is answered 500, nothing of it kept. */
  public Faults breakDown(double share) {
    broken = share(share);
    return this;
  }

  /** The connection is closed instead of this share of the answers; all of the call is kept. */
  public Faults loseAnswers(double share) {
    lost = share(share);
    return this;
  }

  /**
   * This share of the calls is answered only after so long. Half of them are kept all the same, as
   * nobody can know, the others are answered 500.
   */
  public Faults hang(double share, Duration time) {
    hang = time;
    hanging = share(share);
    return this;
  }

  /** Every answer takes so long. */
  public Faults delay(Duration time) {
    worst = time;
    delay = time;
    late = 0;
    return this;
  }

  /**
   * Answers take half to one and a half of the usual time, and this share of them anything up to
   * the worst.
   */
  public Faults delay(Duration usual, double lateShare, Duration worstTime) {
    worst = worstTime;
    delay = usual;
    late = share(lateShare);
    return this;
  }

  /** Calls are refused for good if one of their records has this text in it; null for none. */
  public Faults poison(@Nullable String marker) {
    poison = marker;
    return this;
  }

  /** Behaves from now on. */
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
   * How long one answer takes, in milliseconds.
   *
   * @param dice 0 to 1: whether it is late
   * @param amount 0 to 1: how far it is from the usual
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

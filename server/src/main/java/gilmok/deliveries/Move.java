package gilmok.deliveries;

import gilmok.auth.Binding;
import gilmok.trace.TraceContext;
import org.jspecify.annotations.Nullable;

/**
 * A requested step of a delivery. Immutable.
 *
 * @param step not {@link Step#CREATE}
 * @param by the author: {@code key:ID} or {@code rider:ID}
 * @param binding whom the caller acts for, who must have a part in the delivery; null for the fleet
 * @param atMillis when it happens, as its author says, epoch ms
 * @param arrivedAtMillis when it arrived here for the first time, epoch ms
 * @param ifVersion the version that the delivery must have; null for any
 * @param details names a rider only for {@link Step#ASSIGN}, an agency only for {@link Step#ACCEPT}
 */
public record Move(
    Step step,
    String by,
    @Nullable Binding binding,
    long atMillis,
    long arrivedAtMillis,
    @Nullable Integer ifVersion,
    StepDetails details)
    implements DetailedStep {
  /** The same move with another source of its event. */
  Move sourced(String source) {
    return new Move(
        step, by, binding, atMillis, arrivedAtMillis, ifVersion, details.sourced(source));
  }

  /** The same move as part of that trace; itself for none. */
  Move traced(@Nullable TraceContext trace) {
    return trace == null
        ? this
        : new Move(step, by, binding, atMillis, arrivedAtMillis, ifVersion, details.traced(trace));
  }

  /** How far the clock of a phone or of a caller may be wrong. */
  static final long CLOCK_MILLIS = 10 * 60_000;

  /**
   * Whether its author's time can be right for a delivery that was created then: not long before
   * that, and not long after its own arrival.
   */
  boolean isDatedWell(long createdAtMillis) {
    return atMillis >= createdAtMillis - CLOCK_MILLIS && isNotAhead();
  }

  /** Whether its author's time is not long after its arrival. */
  boolean isNotAhead() {
    return atMillis <= arrivedAtMillis + CLOCK_MILLIS;
  }

  /**
   * When it counts as having happened: as its author says, or, if that cannot be, its arrival. If
   * that cannot be either, as a record that was set aside may have come before the delivery or say
   * anything, it is the delivery's creation.
   */
  long countsAtMillis(long createdAtMillis) {
    if (isDatedWell(createdAtMillis)) {
      return atMillis;
    }
    return arrivedAtMillis >= createdAtMillis - CLOCK_MILLIS ? arrivedAtMillis : createdAtMillis;
  }
}

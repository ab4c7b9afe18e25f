package gilmok.statements;

import org.jspecify.annotations.Nullable;

/**
 * One thing that a rider earned, or that is taken off.
 *
 * @param id by which a repeat is known, of all riders' entries
 * @param atMillis when it was earned, epoch ms
 * @param amount whole minor units, 0 to {@link #AMOUNT_MAX}, also of a deduction
 * @param currency ISO 4217
 * @param deliveryId what it is for; null when not said
 * @param distance the way, in whole millimetres, 0 to {@link #DISTANCE_MAX}; 0 when not said
 */
public record StatementEntry(
    String id,
    String riderId,
    long atMillis,
    EntryKind kind,
    long amount,
    String currency,
    @Nullable String deliveryId,
    long distance) {
  /** The largest amount: nine million of them can be summed. */
  public static final long AMOUNT_MAX = 1_000_000_000_000L;

  /** The longest way, 10,000 km, in millimetres. */
  public static final long DISTANCE_MAX = 10_000_000_000L;
}

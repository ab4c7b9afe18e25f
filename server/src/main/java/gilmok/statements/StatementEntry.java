package gilmok.statements;

import org.jspecify.annotations.Nullable;

/**
 * An entry of a rider's statement: an amount earned or deducted. Immutable.
 *
 * @param id identifies repeats; unique over all riders' entries
 * @param atMillis when it was earned, epoch ms
 * @param amount whole minor units, 0 to {@link #AMOUNT_MAX}; positive for a deduction, too
 * @param currency ISO 4217
 * @param deliveryId the delivery it is for; null when not given
 * @param distance the distance in whole millimetres, 0 to {@link #DISTANCE_MAX}; 0 when not given
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
  /** The largest amount; a long can sum nine million of them. */
  public static final long AMOUNT_MAX = 1_000_000_000_000L;

  /** The largest distance, 10,000 km, in millimetres. */
  public static final long DISTANCE_MAX = 10_000_000_000L;
}

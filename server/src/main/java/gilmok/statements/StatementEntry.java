package gilmok.statements;

import gilmok.retention.OldDocument;
import java.time.LocalDate;
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
    long distance)
    implements OldDocument {
  /** The largest amount; a long can sum nine million of them. */
  public static final long AMOUNT_MAX = 1_000_000_000_000L;

  /** The largest distance, 10,000 km, in millimetres. */
  public static final long DISTANCE_MAX = 10_000_000_000L;

  private static final long DAY_MILLIS = 86_400_000L;

  @Override
  public long sinceMillis() {
    return atMillis;
  }

  /** Its UTC day. */
  @Override
  public String label() {
    return LocalDate.ofEpochDay(Math.floorDiv(atMillis, DAY_MILLIS)).toString();
  }
}

package gilmok.lab.story.database;

/**
 * An entry of a statement as an object, made and filled in by the driver's own mapper, which finds
 * its fields at run time. Mutable, as that mapper wants it; public for the same reason.
 */
public final class MappedEntry {
  /** The entry's id, in the database {@code _id}. */
  public String id = "";

  /** Whose it is. */
  public String riderId = "";

  /** When it was earned, epoch ms. */
  public long at;

  /** Fee, incentive or deduction. */
  public String kind = "";

  /** Whole minor units. */
  public long amount;

  /** Whole millimetres. */
  public long distance;

  /** ISO 4217. */
  public String currency = "";

  /** What it was earned by. */
  public String deliveryId = "";
}

package gilmok.lab.crash;

import java.util.Locale;

/**
 * One record the rig sends, all of it made from its number, so that it can be sent again byte for
 * byte and be recognised in the log. What the server has said about it is guarded by the {@link
 * Book}.
 */
public final class Entry {
  /** Where it was stored is not known: it has not been acknowledged. */
  static final long NOWHERE = -1;

  /** It was acknowledged as a repeat: it is stored, we were not told where. */
  static final long SOMEWHERE = -2;

  private static final int RIDERS = 200;
  private static final String RIDER_PREFIX = "rider-";

  private final int number;
  private final long atMillis;
  private long sequence = NOWHERE;

  /**
   * @param atMillis when it happened: every record has a millisecond of its own, by which it is
   *     known
   */
  Entry(int number, long atMillis) {
    this.number = number;
    this.atMillis = atMillis;
  }

  int number() {
    return number;
  }

  /** Where it is stored by its receipt, or {@link #NOWHERE} or {@link #SOMEWHERE}. */
  public long sequence() {
    return sequence;
  }

  void stored(long where) {
    sequence = where;
  }

  /** Whether the server has said that it has it. */
  public boolean acknowledged() {
    return sequence != NOWHERE;
  }

  /** Its stream. */
  public String stream() {
    return number % 3 == 0 ? "actions" : "traces";
  }

  /** Whose it is. */
  public String riderId() {
    return RIDER_PREFIX + number % RIDERS;
  }

  /** When it happened. */
  public long atMillis() {
    return atMillis;
  }

  double lat() {
    return 37 + number % 1_000_000 / 1e6;
  }

  String json() {
    String what =
        stream().equals("actions")
            ? ",\"lon\":127.5,\"type\":\"button\""
            : ",\"lon\":127.5,\"accuracy\":5.5,\"speed\":8.3";
    // One in five has no id: its repeats are known by its bytes.
    String id = number % 5 == 0 ? "" : ",\"id\":\"r-" + number + "\"";
    return String.format(
        Locale.ROOT,
        "{\"riderId\":\"%s\",\"at\":%d,\"lat\":%.6f%s%s}",
        riderId(),
        atMillis(),
        lat(),
        what,
        id);
  }
}

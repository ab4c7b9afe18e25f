package gilmok.lab.crash;

import java.util.Locale;

/**
 * One record of the rig. All of it is derived from its number, so it can be sent again byte for
 * byte and be recognised in the log. The server's response to it is guarded by the {@link Book}.
 */
public final class Entry {
  /** The sequence of a record that was not acknowledged. */
  static final long NOWHERE = -1;

  /**
   * The sequence of a record that was acknowledged as a repeat: it is stored, but the receipt does
   * not say where.
   */
  static final long SOMEWHERE = -2;

  private static final int RIDERS = 200;
  private static final String RIDER_PREFIX = "rider-";

  private final int number;
  private final long atMillis;
  private long sequence = NOWHERE;

  /**
   * A record that was not sent yet.
   *
   * @param atMillis its time, which is unique and identifies it
   */
  Entry(int number, long atMillis) {
    this.number = number;
    this.atMillis = atMillis;
  }

  int number() {
    return number;
  }

  /** Its sequence in the log by its receipt, or {@link #NOWHERE} or {@link #SOMEWHERE}. */
  public long sequence() {
    return sequence;
  }

  void stored(long where) {
    sequence = where;
  }

  /** Whether the server has acknowledged it. */
  public boolean acknowledged() {
    return sequence != NOWHERE;
  }

  /** Its stream. */
  public String stream() {
    return number % 3 == 0 ? "actions" : "traces";
  }

  /** Its rider. */
  public String riderId() {
    return RIDER_PREFIX + number % RIDERS;
  }

  /** Its time, epoch ms. */
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
    // One record in five has no id: its repeats are recognised by its bytes.
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

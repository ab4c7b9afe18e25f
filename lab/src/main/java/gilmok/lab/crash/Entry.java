package gilmok.lab.crash;

import java.time.Instant;
import java.util.Locale;

/**
 * One record the rig sends, all of it made from its number, so that it can be sent again byte for
 * byte and be recognised in the log. What the server has said about it is guarded by the {@link
 * Book}.
 */
final class Entry {
  /** Where it was stored is not known: it has not been acknowledged. */
  static final long NOWHERE = -1;

  /** It was acknowledged as a repeat: it is stored, we were not told where. */
  static final long SOMEWHERE = -2;

  private static final int RIDERS = 200;
  private static final String RIDER_PREFIX = "rider-";
  private static final long FIRST_AT_MILLIS = 1_763_000_000_000L;

  private final int number;
  private long sequence = NOWHERE;

  Entry(int number) {
    this.number = number;
  }

  int number() {
    return number;
  }

  /** Where it is stored by its receipt, or {@link #NOWHERE} or {@link #SOMEWHERE}. */
  long sequence() {
    return sequence;
  }

  void stored(long where) {
    sequence = where;
  }

  boolean acknowledged() {
    return sequence != NOWHERE;
  }

  String stream() {
    return number % 3 == 0 ? "actions" : "traces";
  }

  String riderId() {
    return RIDER_PREFIX + number % RIDERS;
  }

  /** When it happened: every record has a millisecond of its own, by which it is known. */
  long atMillis() {
    return FIRST_AT_MILLIS + number;
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

  /** The number of the record that happened at this time; negative when none can have. */
  static long numberAt(Instant at) {
    return at.toEpochMilli() - FIRST_AT_MILLIS;
  }
}

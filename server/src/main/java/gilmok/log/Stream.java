package gilmok.log;

import org.jspecify.annotations.Nullable;

/**
 * A kind of record, counted apart in the log. The code is written to the files and never changes.
 */
public enum Stream {
  TRACES(1, "traces"),
  ACTIONS(2, "actions"),
  LOGS(3, "logs"),
  DELIVERIES(4, "deliveries"),
  QUARANTINE(5, "quarantine"),
  /**
   * Who changed what. Its first record raises the folder's format; few records, never a phone's.
   */
  AUDIT(6, "audit");

  private static final Stream[] BY_CODE = {
    null, TRACES, ACTIONS, LOGS, DELIVERIES, QUARANTINE, AUDIT
  };

  private final int code;
  private final String label;

  Stream(int code, String label) {
    this.code = code;
    this.label = label;
  }

  /** The byte for this stream on disk. */
  public int code() {
    return code;
  }

  /** The name in settings and documents, as in {@code traces}. */
  public String label() {
    return label;
  }

  /** The stream of that name; null if there is none. */
  public static @Nullable Stream of(String label) {
    for (Stream stream : values()) {
      if (stream.label.equals(label)) {
        return stream;
      }
    }
    return null;
  }

  public static boolean isKnown(int code) {
    return code > 0 && code < BY_CODE.length;
  }

  public static Stream of(int code) {
    return BY_CODE[code];
  }
}

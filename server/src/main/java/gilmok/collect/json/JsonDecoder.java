package gilmok.collect.json;

import gilmok.event.EventKind;
import gilmok.event.Events;
import gilmok.event.Reason;
import java.util.Arrays;

/**
 * Decodes a body of positions, actions or log lines: one object, an array, or NDJSON. Usable
 * records are put into an {@link Events} in encoded form; the others are rejected there with field
 * and reason. Throws no exception, whatever the bytes are.
 *
 * <p>Not thread-safe: one per thread, reused from body to body.
 */
public final class JsonDecoder {
  /** The most records a body can hold. */
  public static final int RECORDS_MAX = 10_000;

  /** The field of records that the sender's key may not send. */
  public static final String KEY = "key";

  private static final int KEPT_BYTES_MAX = 1 << 18;

  private final RecordReader reader = new RecordReader();
  private final JsonScanner scanner = reader.scanner();
  private RecordRule rule = RecordRule.NONE;
  private byte[] kept = new byte[16 * 1024];
  private byte[] bytes = kept;
  private int end;
  private int base;

  /**
   * Decodes a body.
   *
   * @param kind what its records are; not {@link EventKind#QUARANTINED}
   * @param out cleared first
   */
  public DecodeOutcome decode(EventKind kind, byte[] body, int offset, int length, Events out) {
    return decode(kind, body, offset, length, RecordRule.NONE, out);
  }

  /**
   * Decodes a body.
   *
   * @param kind what its records are; not {@link EventKind#QUARANTINED}
   * @param rule what the sender may not send; such records are rejected with the field {@code key}
   * @param out cleared first
   */
  public DecodeOutcome decode(
      EventKind kind, byte[] body, int offset, int length, RecordRule rule, Events out) {
    this.rule = rule;
    out.clear();
    take(body, offset, length);
    reader.begin(kind, bytes, end);
    int p = scanner.start();
    DecodeOutcome outcome;
    if (p >= end) {
      scanner.empty();
      outcome = DecodeOutcome.UNREADABLE;
    } else {
      outcome = bytes[p] == '[' ? array(p, out) : lines(p, out);
    }
    if (outcome != DecodeOutcome.READ) {
      out.clear();
    }
    bytes = kept;
    return outcome;
  }

  /** Where in the body the syntax error is, after {@link DecodeOutcome#UNREADABLE}. */
  public int errorOffset() {
    return base + scanner.errorOffset();
  }

  /** What the syntax error is, after {@link DecodeOutcome#UNREADABLE}: a constant. */
  public String errorReason() {
    return scanner.errorReason();
  }

  /** Copies the body and appends zeros. */
  private void take(byte[] body, int offset, int length) {
    int needed = length + JsonScanner.ZEROS;
    if (needed > kept.length && needed <= KEPT_BYTES_MAX) {
      kept = new byte[Math.min(KEPT_BYTES_MAX, 2 * needed)];
    }
    bytes = needed > kept.length ? new byte[needed] : kept;
    System.arraycopy(body, offset, bytes, 0, length);
    Arrays.fill(bytes, length, needed, (byte) 0);
    base = offset;
    end = length;
  }

  private DecodeOutcome array(int from, Events out) {
    int p = scanner.blanks(from + 1);
    if (bytes[p] == ']') {
      return atEnd(p + 1);
    }
    for (int index = 0; ; index++) {
      if (index == RECORDS_MAX) {
        return DecodeOutcome.TOO_MANY;
      }
      p = element(p, index, out);
      if (p < 0) {
        return DecodeOutcome.UNREADABLE;
      }
      p = scanner.blanks(p);
      if (bytes[p] == ']') {
        return atEnd(p + 1);
      }
      if (bytes[p] != ',') {
        scanner.broken(p, "expected a comma or a closing bracket");
        return DecodeOutcome.UNREADABLE;
      }
      p = scanner.blanks(p + 1);
    }
  }

  private DecodeOutcome atEnd(int from) {
    int p = scanner.blanks(from);
    if (p < end) {
      scanner.broken(p, "unexpected character behind the array");
      return DecodeOutcome.UNREADABLE;
    }
    return DecodeOutcome.READ;
  }

  /** Reads a value and keeps or rejects it. */
  private int element(int from, int index, Events out) {
    if (bytes[from] != '{') {
      int p = scanner.value(from, null, 0, reader.faults());
      if (p > 0) {
        out.reject(index, "", Reason.NOT_AN_OBJECT, base + from, base + p);
      }
      return p;
    }
    int p = reader.record(from);
    if (p > 0) {
      String reason = reader.faults().reason();
      if (reason == null && rule.forbids(reader.event())) {
        out.reject(index, KEY, Reason.KEY_OF_ANYBODY, base + from, base + p);
      } else if (reason == null) {
        out.add(reader.event(), index);
      } else {
        out.reject(index, reader.faults().field(), reason, base + from, base + p);
      }
    }
    return p;
  }

  private DecodeOutcome lines(int from, Events out) {
    int index = 0;
    for (int p = from; p < end; p = scanner.blanks(p)) {
      if (index == RECORDS_MAX) {
        return DecodeOutcome.TOO_MANY;
      }
      int stop = bytes[p] == '{' ? element(p, index, out) : noObject(p, index, out);
      if (stop < 0) {
        stop = lineEnd(p);
        out.reject(index, "", lineReason(), base + p, base + stop);
      }
      p = stop;
      index++;
    }
    return DecodeOutcome.READ;
  }

  private String lineReason() {
    return scanner.errorReason().equals(Reason.NESTED_TOO_DEEP)
        ? Reason.NESTED_TOO_DEEP
        : Reason.NOT_JSON;
  }

  /** Rejects a value that is no object; it must be followed by a blank or the end. */
  private int noObject(int from, int index, Events out) {
    int p = scanner.value(from, null, 0, reader.faults());
    if (p > 0 && p < end && scanner.blanks(p) == p) {
      return scanner.broken(p, "unexpected character behind the value");
    }
    if (p > 0) {
      out.reject(index, "", Reason.NOT_AN_OBJECT, base + from, base + p);
    }
    return p;
  }

  private int lineEnd(int from) {
    int p = from;
    while (p < end && bytes[p] != '\n' && bytes[p] != '\r') {
      p++;
    }
    return p;
  }
}

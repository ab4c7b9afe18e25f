package gilmok.event;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * Reads one encoded {@link EventKind#QUARANTINED} record in place.
 *
 * <p>Not thread-safe: reused by the thread that reads.
 */
public final class QuarantinedView {
  private byte[] bytes = {};
  private int end;
  private int p;
  private boolean cut;
  private String stream = "";
  private int index;
  private String field = "";
  private String reason = "";
  private @Nullable String sink;
  private @Nullable String origin;
  private int rawOffset;
  private int rawLength;

  /**
   * Wraps a record.
   *
   * @throws DamagedEvent if the bytes are of an unknown version, or not exactly one record
   */
  public QuarantinedView wrap(byte[] bytes, int offset, int length) {
    this.bytes = bytes;
    end = offset + length;
    if (length < 2
        || EventKind.of(bytes[offset]) != EventKind.QUARANTINED
        || bytes[offset + 1] >>> 2 != 0) {
      throw new DamagedEvent("not a quarantined record, or a damaged one");
    }
    cut = (bytes[offset + 1] & QuarantinedEncoder.CUT) != 0;
    boolean isRefused = (bytes[offset + 1] & QuarantinedEncoder.REFUSED) != 0;
    p = offset + 2;
    stream = text();
    index = varint();
    field = text();
    reason = text();
    sink = isRefused ? text() : null;
    origin = isRefused ? text() : null;
    rawLength = length();
    rawOffset = p;
    if (p + rawLength != end) {
      throw damaged();
    }
    return this;
  }

  private String text() {
    int length = length();
    p += length;
    return new String(bytes, p - length, length, StandardCharsets.UTF_8);
  }

  private int length() {
    int length = varint();
    if (length < 0 || length > end - p) {
      throw damaged();
    }
    return length;
  }

  private int varint() {
    int value = 0;
    for (int shift = 0; p < end && shift <= 28; shift += 7) {
      byte b = bytes[p++];
      value |= (b & 0x7f) << shift;
      if (b >= 0) {
        return value;
      }
    }
    throw damaged();
  }

  private static DamagedEvent damaged() {
    return new DamagedEvent("a damaged QUARANTINED: its bytes do not fit what they say they hold");
  }

  /** The label of the stream that it was meant for, as in {@code traces}. */
  public String stream() {
    return stream;
  }

  /** Which element of its body it was, from 0. */
  public int index() {
    return index;
  }

  /** The API's name of the wrong field; empty for the whole record. */
  public String field() {
    return field;
  }

  /** Why it was refused. */
  public String reason() {
    return reason;
  }

  /** The sink that refused it; null if collecting did. */
  public @Nullable String sink() {
    return sink;
  }

  /** The id of the record that the sink refused, {@code node:sequence}; null if collecting did. */
  public @Nullable String origin() {
    return origin;
  }

  /** Whether only a part of what was sent was kept. */
  public boolean isCut() {
    return cut;
  }

  /** A copy of the bytes as they were sent. */
  public byte[] raw() {
    return Arrays.copyOfRange(bytes, rawOffset, rawOffset + rawLength);
  }

  /**
   * Writes it as a JSON object; the sent bytes as {@code raw}, or as {@code rawBase64} if they are
   * no UTF-8.
   */
  public void writeJson(JsonBuffer out) {
    out.put('{');
    writeMembers(out);
    out.put('}');
  }

  /** Writes the members of {@link #writeJson} without the braces. */
  public void writeMembers(JsonBuffer out) {
    out.ascii("\"stream\":").string(stream).ascii(",\"index\":").number((long) index);
    out.ascii(",\"field\":").string(field).ascii(",\"reason\":").string(reason);
    if (sink != null && origin != null) {
      out.ascii(",\"sink\":").string(sink).ascii(",\"origin\":").string(origin);
    }
    if (cut) {
      out.ascii(",\"cut\":true");
    }
    if (Utf8.isValid(bytes, rawOffset, rawOffset + rawLength)) {
      out.ascii(",\"raw\":").string(bytes, rawOffset, rawLength);
    } else {
      out.ascii(",\"rawBase64\":\"").ascii(Base64.getEncoder().encodeToString(raw())).put('"');
    }
  }
}

package gilmok.collect.dialect;

import gilmok.event.EventView;
import gilmok.event.Events;
import gilmok.event.JsonBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * A dialect's result for an upload: the events as the API's JSON, the rejects as {@code field:
 * reason}, and the rejected texts. For every upload it checks that each event can be read back and
 * that each reject lies within the upload. Needs no test library, because the lab's fuzzer uses it.
 */
public record Decoded(List<String> events, List<String> rejects, List<String> rejected) {
  /** The time at which the uploads arrive. */
  public static final long NOW = 1_767_225_600_000L; // 2026-01-01T00:00:00Z

  /** Decodes a text; each device's id is also its rider's. */
  public static Decoded of(Dialect dialect, String text) {
    return of(dialect, Upload.of(text, NOW), device -> device);
  }

  /** Decodes an upload. */
  public static Decoded of(Dialect dialect, Upload upload, UnaryOperator<String> riders) {
    Events events = new Events();
    DialectEvent dialectEvent = new DialectEvent();
    dialectEvent.upload(events, riders);
    dialect.decode(upload, dialectEvent);
    return of(events, upload);
  }

  /**
   * Decodes bytes twice, the second time from the middle of a larger array, and checks that the
   * results are equal.
   *
   * @param another a dialect of the same kind: the same instance, or one that has decoded nothing
   *     yet
   */
  public static Decoded anywhere(Dialect dialect, Dialect another, byte[] bytes) {
    Upload upload = new Upload(bytes, 0, bytes.length, null, null, NOW);
    Decoded decoded = of(dialect, upload, device -> device);
    byte[] around = new byte[bytes.length + 8];
    Arrays.fill(around, (byte) '1');
    System.arraycopy(bytes, 0, around, 5, bytes.length);
    Upload inside = new Upload(around, 5, bytes.length, null, null, NOW);
    Decoded again = of(another, inside, device -> device);
    if (!again.equals(decoded)) {
      throw new AssertionError("once " + decoded + "\nthen " + again);
    }
    return decoded;
  }

  static Decoded of(Events events, Upload upload) {
    List<String> shown = new ArrayList<>();
    EventView view = new EventView();
    JsonBuffer json = new JsonBuffer();
    for (int i = 0; i < events.count(); i++) {
      json.clear();
      view.wrap(events.bytes(), events.offset(i), events.length(i)).writeJson(json);
      shown.add(json.toString());
    }
    List<String> rejects = new ArrayList<>();
    List<String> rejected = new ArrayList<>();
    for (int i = 0; i < events.rejectCount(); i++) {
      int start = events.rejectStart(i);
      int end = events.rejectEnd(i);
      if (start < upload.offset() || end < start || end > upload.end()) {
        throw new AssertionError("reject " + i + " is from " + start + " to " + end);
      }
      rejects.add(events.rejectField(i) + ": " + events.rejectReason(i));
      rejected.add(new String(upload.bytes(), start, end - start, StandardCharsets.UTF_8));
    }
    return new Decoded(shown, rejects, rejected);
  }

  /** The only event; fails if there are more, or rejects. */
  public String event() {
    return only(events, rejects);
  }

  /** The only reject; fails if there are more, or events. */
  public String reject() {
    return only(rejects, events);
  }

  private String only(List<String> some, List<String> none) {
    if (some.size() != 1 || !none.isEmpty()) {
      throw new AssertionError(toString());
    }
    return some.getFirst();
  }
}

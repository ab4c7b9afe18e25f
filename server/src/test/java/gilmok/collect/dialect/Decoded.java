package gilmok.collect.dialect;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.event.EventView;
import gilmok.event.Events;
import gilmok.event.JsonBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * What a dialect makes of an upload, for tests: the events as the API's JSON, and the rejects as
 * {@code field: reason} with what was rejected. Whatever the upload, it checks that every event
 * reads back and that every reject lies in the upload.
 */
public record Decoded(List<String> events, List<String> rejects, List<String> rejected) {
  /** When the uploads arrive. */
  public static final long NOW = 1_767_225_600_000L; // 2026-01-01T00:00:00Z

  /** Decodes a text; every device is its own rider. */
  public static Decoded of(Dialect dialect, String text) {
    return of(dialect, Upload.of(text, NOW), device -> device);
  }

  /** Decodes an upload. */
  public static Decoded of(Dialect dialect, Upload upload, UnaryOperator<String> riders) {
    Events events = new Events();
    Entry entry = new Entry();
    entry.upload(events, riders);
    dialect.decode(upload, entry);
    return of(events, upload);
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
      assertThat(start).isBetween(upload.offset(), end);
      assertThat(end).isLessThanOrEqualTo(upload.end());
      rejects.add(events.rejectField(i) + ": " + events.rejectReason(i));
      rejected.add(
          new String(upload.bytes(), start, end - start, java.nio.charset.StandardCharsets.UTF_8));
    }
    return new Decoded(shown, rejects, rejected);
  }

  /** The only event; nothing was rejected. */
  public String event() {
    assertThat(rejects).isEmpty();
    assertThat(events).hasSize(1);
    return events.getFirst();
  }

  /** The only reject; there is no event. */
  public String reject() {
    assertThat(events).isEmpty();
    assertThat(rejects).hasSize(1);
    return rejects.getFirst();
  }
}

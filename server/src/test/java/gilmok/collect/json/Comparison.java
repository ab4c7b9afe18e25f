package gilmok.collect.json;

import gilmok.event.EventField;
import gilmok.event.EventKind;
import gilmok.event.EventView;
import gilmok.event.Events;
import gilmok.event.JsonBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Decodes a body with the scanner and with the oracle, and checks that the results are equal. */
final class Comparison {
  private final JsonDecoder decoder = new JsonDecoder();
  private final JsonDecoder again = new JsonDecoder();
  private final Events events = new Events();
  private final Events eventsAgain = new Events();
  private final EventView view = new EventView();
  private final JsonBuffer json = new JsonBuffer();

  /** Checks a body that has other bytes around it in its array: the scanner must not read those. */
  Events check(EventKind kind, byte[] body) {
    byte[] around = new byte[body.length + 7];
    Arrays.fill(around, (byte) '}');
    System.arraycopy(body, 0, around, 3, body.length);
    DecodeOutcome outcome = decoder.decode(kind, around, 3, body.length, events);
    Oracle.Verdict expected = Oracle.decode(kind, body);
    same(outcome, expected.outcome());
    same(rejects(), expected.rejects());
    same(events.count(), expected.events().size());
    for (int i = 0; i < events.count(); i++) {
      same(events.index(i), expected.events().get(i).index());
      view.wrap(events.bytes(), events.offset(i), events.length(i));
      same(fields(), expected.events().get(i).values().fields());
      String attributes = view.text(EventField.ATTRIBUTES);
      same(attributes == null ? "" : attributes, expected.events().get(i).values().attributes());
      checkRoundTrip(kind, i);
    }
    return events;
  }

  private static void same(Object actual, Object expected) {
    if (!actual.equals(expected)) {
      throw new AssertionError("scanner: " + actual + "\n oracle: " + expected);
    }
  }

  private List<Oracle.Reject> rejects() {
    List<Oracle.Reject> rejects = new ArrayList<>();
    for (int i = 0; i < events.rejectCount(); i++) {
      rejects.add(
          new Oracle.Reject(
              events.rejectIndex(i),
              events.rejectField(i),
              events.rejectReason(i),
              events.rejectStart(i) - 3,
              events.rejectEnd(i) - 3));
    }
    return rejects;
  }

  private Map<String, Object> fields() {
    Map<String, Object> fields = new TreeMap<>();
    for (EventField field : EventField.values()) {
      if (view.has(field) && field != EventField.ATTRIBUTES) {
        fields.put(
            field.label(),
            switch (field.shape()) {
              case NUMBER -> view.number(field);
              case TIME -> view.at();
              default ->
                  new String(
                      view.bytes(), view.offset(field), view.length(field), StandardCharsets.UTF_8);
            });
      }
    }
    return fields;
  }

  /** An event rendered as JSON and decoded again must have the same bytes. */
  private void checkRoundTrip(EventKind kind, int i) {
    json.clear();
    view.writeJson(json);
    same(again.decode(kind, json.bytes(), 0, json.size(), eventsAgain), DecodeOutcome.READ);
    same(eventsAgain.count(), 1);
    int start = events.offset(i);
    boolean equal =
        Arrays.equals(
            eventsAgain.bytes(),
            0,
            eventsAgain.length(0),
            events.bytes(),
            start,
            start + events.length(i));
    if (!equal) {
      throw new AssertionError("other bytes when read again: " + json);
    }
  }
}

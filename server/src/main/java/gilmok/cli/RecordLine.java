package gilmok.cli;

import gilmok.event.DamagedEvent;
import gilmok.event.EventView;
import gilmok.event.JsonBuffer;
import gilmok.log.LogReader;

/** A record of the log as one line of JSON. */
final class RecordLine {
  private RecordLine() {}

  /** Writes the record the reader stands at, as it was sent, without a line's end. */
  static void write(LogReader reader, EventView view, JsonBuffer json) {
    check(reader, view);
    json.clear();
    json.ascii("{\"sequence\":").number(reader.sequence());
    json.ascii(",\"recordId\":\"" + reader.node() + ":").number(reader.sequence());
    json.ascii("\",\"stream\":\"" + reader.stream().label());
    json.ascii("\",\"receivedAt\":").time(reader.receivedAtMillis());
    json.ascii(",\"record\":");
    view.writeJson(json);
    if (view.isAheadOf(reader.receivedAtMillis())) {
      // Beside the record, which can be replayed as it is.
      json.ascii(",\"flags\":[\"clock\"]");
    }
    json.put('}');
  }

  /** Looks whether the record the reader stands at is a whole event. */
  static void check(LogReader reader, EventView view) {
    try {
      view.wrap(reader.bytes(), reader.offset(), reader.length());
    } catch (DamagedEvent damaged) {
      throw new CommandFailure("record " + reader.sequence() + ": " + damaged.getMessage());
    }
  }
}

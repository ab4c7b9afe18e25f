package gilmok.ops;

import gilmok.event.JsonBuffer;
import io.prometheus.metrics.model.snapshots.DataPointSnapshot;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;

/**
 * What happened to the server at a moment, to be drawn on the time axis: its start, its present
 * state of life, reloads. The last {@link #MARKS_MAX}.
 *
 * <p>Thread-safe.
 */
final class Marks {
  static final int MARKS_MAX = 64;

  static final String LIFE = "gilmok_life_state";
  static final String RELOADS = "gilmok_reloads_total";

  private final Deque<Mark> marks = new ArrayDeque<>();
  private final Map<String, Double> reloads = new HashMap<>();
  private String life = "";

  private record Mark(long atMillis, String what) {}

  /** Begins with the start of the process. */
  Marks(long startedMillis) {
    add(startedMillis, "start");
  }

  /** Adds what has happened since the sample before. */
  synchronized void take(DataPoints now, long millis) {
    for (DataPointSnapshot point : now.of(LIFE)) {
      String state = String.valueOf(point.getLabels().get("state"));
      if (DataPoints.value(point) == 1 && !state.equals(life)) {
        life = state;
        add(millis, state);
      }
    }
    for (DataPointSnapshot point : now.of(RELOADS)) {
      String result = String.valueOf(point.getLabels().get("result"));
      double total = DataPoints.value(point);
      Double last = reloads.put(result, total);
      if (last != null && total > last) {
        add(millis, "reload-" + result);
      }
    }
  }

  private void add(long millis, String what) {
    if (marks.size() == MARKS_MAX) {
      marks.removeFirst();
    }
    marks.add(new Mark(millis, what));
  }

  /** Writes the member {@code marks}: all that are newer than that time. */
  synchronized void write(long sinceMillis, JsonBuffer out) {
    out.ascii("\"marks\":");
    out.list(
        marks.stream().filter(mark -> mark.atMillis > sinceMillis).toList(),
        (mark, to) ->
            to.ascii("{\"at\":")
                .number(mark.atMillis)
                .ascii(",\"what\":")
                .string(mark.what)
                .put('}'));
  }
}

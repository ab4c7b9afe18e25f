package gilmok.ops;

import gilmok.event.JsonBuffer;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;

/**
 * A ring of samples: for each of them its time and, for each line of a chart, a number. A number
 * that was not there is NaN. It holds {@link #SAMPLES_MAX} samples of {@link #LINES_MAX} lines, as
 * floats: at most 1 MB.
 *
 * <p>Thread-safe.
 */
final class MetricsHistory {
  /** An hour of five seconds each. */
  static final int SAMPLES_MAX = 720;

  /** Lines beyond are left out. */
  static final int LINES_MAX = 320;

  private final long[] times = new long[SAMPLES_MAX];
  private final Map<String, float[]> lines = new TreeMap<>();

  /** Samples taken; the newest is in the slot before this one's. */
  private long taken;

  /** The slot of the sample that is being taken. */
  private int slot() {
    return (int) (taken % SAMPLES_MAX);
  }

  /** Begins a sample: what is not put into it is not there. */
  synchronized void begin() {
    int slot = slot();
    lines.values().forEach(line -> line[slot] = Float.NaN);
  }

  /** Puts a line's number into the sample that was begun. */
  synchronized void put(String line, double value) {
    float[] values = lines.get(line);
    if (values == null) {
      if (Double.isNaN(value) || lines.size() == LINES_MAX) {
        return;
      }
      values = new float[SAMPLES_MAX];
      Arrays.fill(values, Float.NaN);
      lines.put(line, values);
    }
    values[slot()] = Double.isFinite(value) ? (float) value : Float.NaN;
  }

  /** Ends the sample that was begun: from now on it is shown. */
  synchronized void end(long millis) {
    times[slot()] = millis;
    taken++;
  }

  /** Writes the members {@code times} and {@code lines}: what is newer than that time. */
  synchronized void write(long sinceMillis, JsonBuffer out) {
    long first = Math.max(0, taken - SAMPLES_MAX);
    while (first < taken && times[(int) (first % SAMPLES_MAX)] <= sinceMillis) {
      first++;
    }
    out.ascii("\"times\":[");
    for (long i = first; i < taken; i++) {
      out.ascii(i == first ? "" : ",").number(times[(int) (i % SAMPLES_MAX)]);
    }
    out.ascii("],\"lines\":{");
    String separator = "";
    for (Map.Entry<String, float[]> line : lines.entrySet()) {
      out.ascii(separator).string(line.getKey()).ascii(":[");
      for (long i = first; i < taken; i++) {
        out.ascii(i == first ? "" : ",");
        Numbers.write(line.getValue()[(int) (i % SAMPLES_MAX)], out);
      }
      out.put(']');
      separator = ",";
    }
    out.put('}');
  }
}

package gilmok.performance;

import gilmok.event.JsonBuffer;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.EnumMap;
import java.util.Map;

/** A rider's measures of a day, or sums of such. Not thread-safe. */
final class Indicators {
  /** What is absent is 0. */
  private final Map<Measure, Long> values = new EnumMap<>(Measure.class);

  /** One more. */
  void count(Measure measure) {
    add(measure, 1);
  }

  void add(Measure measure, long more) {
    if (more != 0) {
      values.merge(measure, more, Long::sum);
    }
  }

  /** Adds all of another's. */
  void add(Indicators other) {
    other.values.forEach(this::add);
  }

  long of(Measure measure) {
    return values.getOrDefault(measure, 0L);
  }

  /** Whether nothing at all was measured. */
  boolean isEmpty() {
    return values.isEmpty();
  }

  /** Writes the members of a JSON object, each with a comma before it. */
  void writeMembers(JsonBuffer out) {
    for (Measure measure : Measure.values()) {
      out.ascii(",\"").ascii(measure.label()).ascii("\":").number(of(measure));
    }
  }

  /** The names of all measures, each with a comma before it. */
  static String csvHead() {
    StringBuilder head = new StringBuilder();
    for (Measure measure : Measure.values()) {
      head.append(',').append(measure.label());
    }
    return head.toString();
  }

  /** The values, each with a comma before it. */
  String csv() {
    StringBuilder row = new StringBuilder();
    for (Measure measure : Measure.values()) {
      row.append(',').append(of(measure));
    }
    return row.toString();
  }

  void write(DataOutputStream out) throws IOException {
    out.writeShort(values.size());
    for (Map.Entry<Measure, Long> one : values.entrySet()) {
      out.writeUTF(one.getKey().label());
      out.writeLong(one.getValue());
    }
  }

  /** Reads what {@link #write} wrote; measures that this version does not know are left out. */
  static Indicators read(DataInputStream in) throws IOException {
    Indicators read = new Indicators();
    for (int left = in.readShort(); left > 0; left--) {
      String label = in.readUTF();
      long value = in.readLong();
      for (Measure measure : Measure.values()) {
        if (measure.label().equals(label)) {
          read.add(measure, value);
        }
      }
    }
    return read;
  }
}

package gilmok.performance;

import gilmok.event.JsonBuffer;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;

/** A rider's measures of a day, or sums of such. Not thread-safe. */
final class Indicators {
  private static final Measure[] ALL = Measure.values();

  private final long[] values = new long[ALL.length];

  /** One more. */
  void count(Measure measure) {
    add(measure, 1);
  }

  void add(Measure measure, long more) {
    values[measure.ordinal()] += more;
  }

  /** Adds all of another's. */
  void add(Indicators other) {
    for (int i = 0; i < values.length; i++) {
      values[i] += other.values[i];
    }
  }

  long of(Measure measure) {
    return values[measure.ordinal()];
  }

  /** Whether nothing at all was measured. */
  boolean isEmpty() {
    for (long value : values) {
      if (value != 0) {
        return false;
      }
    }
    return true;
  }

  /** Writes the members of a JSON object, each with a comma before it. */
  void writeMembers(JsonBuffer out) {
    for (Measure measure : ALL) {
      out.ascii(",\"").ascii(measure.label()).ascii("\":").number(values[measure.ordinal()]);
    }
  }

  /** The names of all measures, with commas. */
  static String csvHead() {
    StringBuilder head = new StringBuilder();
    for (Measure measure : ALL) {
      head.append(',').append(measure.label());
    }
    return head.toString();
  }

  /** The values, each with a comma before it. */
  String csv() {
    StringBuilder row = new StringBuilder();
    for (long value : values) {
      row.append(',').append(value);
    }
    return row.toString();
  }

  void write(DataOutputStream out) throws IOException {
    out.writeShort(values.length);
    for (long value : values) {
      out.writeLong(value);
    }
  }

  /** Reads what {@link #write} wrote, also of a version with fewer measures. */
  static Indicators read(DataInputStream in) throws IOException {
    Indicators read = new Indicators();
    int count = in.readShort();
    for (int i = 0; i < count; i++) {
      long value = in.readLong();
      if (i < read.values.length) {
        read.values[i] = value;
      }
    }
    return read;
  }
}

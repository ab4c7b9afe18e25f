package gilmok.observe;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;

/**
 * How long the parts of one piece of work took: what a thread waited for ({@link WaitMeter}), and
 * parts of its own work that have a name ({@link #worked}). Parts of one name add up; parts beyond
 * the sixteenth share the name {@code other}. Belongs to one thread at a time.
 */
public final class PartTimes {
  /** Making objects of what a store has answered. */
  public static final String MAPPING = "mapping";

  /** Writing an answer. */
  public static final String SERIALISE = "serialise";

  private static final int PARTS_MAX = 16;
  private static final String OTHER = "other";
  private static final ThreadLocal<PartTimes> OF_THREAD = ThreadLocal.withInitial(PartTimes::new);

  private final List<String> names = new ArrayList<>(4);
  private long[] nanos = new long[4];
  private long waitedNanos;
  private long workedNanos;

  /** No parts yet. */
  public PartTimes() {}

  /** The parts of what this thread does now. */
  static PartTimes ofThread() {
    return OF_THREAD.get();
  }

  /** Takes the parts of what this thread has done since the last call. */
  public static PartTimes take() {
    PartTimes taken = OF_THREAD.get();
    OF_THREAD.remove();
    return taken;
  }

  /**
   * A clock of this thread that stands still in its named parts: a part between two looks at it
   * does not contain those within it.
   */
  public static long clock() {
    PartTimes times = ofThread();
    return System.nanoTime() - times.waitedNanos - times.workedNanos;
  }

  /** Does one part of this thread's work; named parts within it are not a part of it. */
  public static <T> T worked(String part, Supplier<T> work) {
    long began = clock();
    try {
      return work.get();
    } finally {
      worked(part, clock() - began);
    }
  }

  /** This thread waited that long for one thing; waits of a thread do not overlap. */
  public static void waited(String on, long nanos) {
    PartTimes times = ofThread();
    times.add(on, nanos);
    times.waitedNanos += nanos;
  }

  /** This thread did one part of its work, without a wait in it, for that long. */
  public static void worked(String part, long nanos) {
    PartTimes times = ofThread();
    times.add(part, nanos);
    times.workedNanos += nanos;
  }

  private void add(String part, long more) {
    int at = names.indexOf(part);
    if (at < 0) {
      at = Math.min(names.size(), PARTS_MAX);
      if (at == names.size()) {
        names.add(at == PARTS_MAX ? OTHER : part);
      }
      if (at == nanos.length) {
        nanos = Arrays.copyOf(nanos, 2 * at);
      }
    }
    nanos[at] += more;
  }

  /** How many parts there are. */
  public int count() {
    return names.size();
  }

  /** The name of a part. */
  public String name(int i) {
    return names.get(i);
  }

  /** How long a part took, in nanoseconds. */
  public long nanos(int i) {
    return nanos[i];
  }

  /** How long a part took, by its name; 0 if there is none. */
  public long nanos(String part) {
    int at = names.indexOf(part);
    return at < 0 ? 0 : nanos[at];
  }

  /** How long its thread has waited. */
  public long waitedNanos() {
    return waitedNanos;
  }

  /** How long the parts of its thread's own work took that have names. */
  public long workedNanos() {
    return workedNanos;
  }
}

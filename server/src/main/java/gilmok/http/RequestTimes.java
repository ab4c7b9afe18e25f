package gilmok.http;

import gilmok.observe.PartTimes;
import gilmok.observe.SlowRequest.Part;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where the time of one request went. Each part is measured by itself, so that what no part
 * explains is seen: {@link #unexplained}. Belongs to the request's event loop; the methods that say
 * so are called by another thread that works on the request, before it hands over its answer.
 */
final class RequestTimes {
  private static final RequestPart[] PARTS = RequestPart.values();
  private static final double NANOS_IN_MICRO = 1e3;
  private static final double MICROS_IN_MILLI = 1e3;

  private final long[] nanos = new long[PARTS.length];

  /** What another thread waited for, and the parts of its work that have names. */
  private @Nullable PartTimes apart;

  /** When the present piece of work on the event loop began, and the part it is. */
  private long loopBegan;

  private @Nullable RequestPart onLoop;

  /** Of the present piece of work on the event loop: what counts as another part. */
  private long loopOther;

  /** When the loop handed it to another thread; 0 for not, or when that is accounted for. */
  private long handedOverNanos;

  /** When the event loop was done with the request, before its answer was known. */
  private long handledNanos;

  /** A part took that long, outside of the event loop's work. */
  void add(RequestPart part, long more) {
    nanos[index(part)] += Math.max(0, more);
  }

  /** The event loop begins to work on it. */
  void begin(RequestPart part, long now) {
    if (handedOverNanos != 0) {
      // What the loop still did when another thread had it already delayed nobody.
      int decode = index(RequestPart.DECODE);
      long beside = Math.max(0, handledNanos - handedOverNanos);
      nanos[decode] = Math.max(0, nanos[decode] - beside);
      handedOverNanos = 0;
    }
    onLoop = part;
    loopBegan = now;
    loopOther = 0;
  }

  /** Of the event loop's work, so much was another part. */
  void within(RequestPart part, long more) {
    add(part, more);
    loopOther += more;
  }

  /** The event loop no longer works on it. */
  void end(long now) {
    RequestPart part = onLoop;
    if (part != null) {
      add(part, now - loopBegan - loopOther);
      onLoop = null;
      handledNanos = now;
    }
  }

  /** What was handed to the log: when its writer began with it, and when it was on disk. */
  void logged(long begun, long durable) {
    add(RequestPart.QUEUE, begun - handledNanos);
    add(RequestPart.FSYNC, durable - Math.max(begun, handledNanos));
  }

  /**
   * Another thread has worked on it. From that thread.
   *
   * @param start how long the thread took to start
   * @param ran how long it ran, with what it waited for
   */
  void apart(PartTimes times, long start, long ran) {
    handedOverNanos = System.nanoTime() - ran - start;
    add(RequestPart.THREAD, start);
    add(RequestPart.WORK, ran - times.waitedNanos() - times.workedNanos());
    apart = times;
  }

  /** Where a part is in the array; a map of numbers would make an object of each. */
  @SuppressWarnings("EnumOrdinal")
  private static int index(RequestPart part) {
    return part.ordinal();
  }

  /** The parts that took any time, in the order of the request's way. */
  List<Part> parts() {
    List<Part> parts = new ArrayList<>();
    PartTimes named = apart;
    for (RequestPart part : PARTS) {
      long took = nanos[index(part)] + (part == RequestPart.SERIALISE ? serialisedApart() : 0);
      if (took > 0) {
        parts.add(new Part(part.label(), took));
      }
      if (part == RequestPart.WORK && named != null) {
        for (int i = 0; i < named.count(); i++) {
          if (!named.name(i).equals(PartTimes.SERIALISE)) { // it is shown in its place
            parts.add(new Part(named.name(i), named.nanos(i)));
          }
        }
      }
    }
    return parts;
  }

  private long serialisedApart() {
    PartTimes named = apart;
    return named == null ? 0 : named.nanos(PartTimes.SERIALISE);
  }

  /** What no part explains of a whole time. */
  long unexplained(long wholeNanos) {
    PartTimes named = apart;
    long explained = Arrays.stream(nanos).sum();
    if (named != null) {
      explained += named.waitedNanos() + named.workedNanos();
    }
    return Math.max(0, wholeNanos - explained);
  }

  /**
   * The value of the header Server-Timing (W3C, Server Timing, 3): the parts until now, in
   * milliseconds.
   */
  String header(long wholeNanos) {
    StringBuilder out = new StringBuilder(160);
    for (Part part : parts()) {
      duration(out, part.name(), part.nanos()).append(", ");
    }
    duration(out, "unexplained", unexplained(wholeNanos)).append(", ");
    return duration(out, "total", wholeNanos).toString();
  }

  private static StringBuilder duration(StringBuilder out, String name, long nanos) {
    return out.append(name)
        .append(";dur=")
        .append(Math.round(nanos / NANOS_IN_MICRO) / MICROS_IN_MILLI);
  }
}

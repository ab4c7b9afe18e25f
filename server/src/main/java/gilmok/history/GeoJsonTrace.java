package gilmok.history;

import gilmok.event.JsonBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A FeatureCollection (RFC 7946): lines, each with its rider and, as {@code coordTimes}, the time
 * of each of its positions, as Mapbox and togeojson have them. The times come behind the
 * coordinates, so a line ends after some thousand positions; the next one begins with the last of
 * it. A single position is a Point.
 */
final class GeoJsonTrace implements TraceWriter {
  /** The most positions of a line. */
  static final int LINE_MAX = 4096;

  private final long[] times = new long[LINE_MAX];
  private int size;
  private String before = "";
  private @Nullable String rider;

  /** The last of the line: it is written when another one makes it a line, or a Point. */
  private @Nullable TracePoint last;

  @Override
  public void begin(JsonBuffer out) {
    out.ascii("{\"type\":\"FeatureCollection\",\"features\":[");
  }

  @Override
  public void gap(JsonBuffer out) {
    if (size > 0) {
      endLine(out);
    }
  }

  @Override
  public void point(String riderId, TracePoint point, JsonBuffer out) {
    TracePoint joined = last;
    if (size > 0 && joined != null) {
      if (!riderId.equals(rider)) {
        endLine(out);
      } else if (size == LINE_MAX) {
        endLine(out);
        add(joined, out);
      }
    }
    rider = riderId;
    add(point, out);
  }

  private void add(TracePoint point, JsonBuffer out) {
    TracePoint first = last;
    if (size == 1 && first != null) {
      out.ascii(before).ascii("{\"type\":\"Feature\",\"geometry\":{\"type\":\"LineString\"");
      out.ascii(",\"coordinates\":[");
      before = ",";
      coordinates(first, out);
    }
    if (size > 0) {
      coordinates(point, out.put(','));
    }
    times[size++] = point.atMillis();
    last = point;
  }

  private void endLine(JsonBuffer out) {
    TracePoint only = last;
    if (size == 1 && only != null) {
      out.ascii(before).ascii("{\"type\":\"Feature\",\"geometry\":{\"type\":\"Point\"");
      out.ascii(",\"coordinates\":");
      before = ",";
      coordinates(only, out);
    } else {
      out.put(']');
    }
    out.ascii("},\"properties\":{\"riderId\":").string(String.valueOf(rider));
    out.ascii(",\"coordTimes\":[");
    for (int i = 0; i < size; i++) {
      (i == 0 ? out : out.put(',')).time(times[i]);
    }
    out.ascii("]}}");
    size = 0;
  }

  private static void coordinates(TracePoint point, JsonBuffer out) {
    out.put('[').number(point.lon()).put(',').number(point.lat());
    double altitude = point.measured().altitude();
    if (!Double.isNaN(altitude)) {
      out.put(',').number(altitude);
    }
    out.put(']');
  }

  @Override
  public void end(@Nullable String next, JsonBuffer out) {
    gap(out);
    out.ascii("]}");
  }
}

package gilmok.history;

import gilmok.event.JsonBuffer;
import org.jspecify.annotations.Nullable;

/** A page of positions with the names of {@code GET /v1/riders/{id}/position}. */
final class JsonTrace implements TraceWriter {
  private String before = "";

  @Override
  public void begin(JsonBuffer out) {
    out.ascii("{\"items\":[");
  }

  @Override
  public void point(String riderId, TracePoint point, JsonBuffer out) {
    out.ascii(before).ascii("{\"riderId\":").string(riderId);
    before = ",";
    out.ascii(",\"at\":").time(point.atMillis());
    out.ascii(",\"lat\":").number(point.lat()).ascii(",\"lon\":").number(point.lon());
    TracePoint.Measured measured = point.measured();
    number(",\"accuracy\":", measured.accuracy(), out);
    number(",\"speed\":", measured.speed(), out);
    number(",\"bearing\":", measured.bearing(), out);
    number(",\"altitude\":", measured.altitude(), out);
    number(",\"battery\":", measured.battery(), out);
    text(",\"provider\":", point.provider(), out);
    text(",\"deliveryId\":", point.deliveryId(), out);
    out.put('}');
  }

  private static void number(String name, double value, JsonBuffer out) {
    if (!Double.isNaN(value)) {
      out.ascii(name).number(value);
    }
  }

  private static void text(String name, @Nullable String value, JsonBuffer out) {
    if (value != null) {
      out.ascii(name).string(value);
    }
  }

  @Override
  public void end(@Nullable String next, JsonBuffer out) {
    out.ascii("],\"next\":");
    (next == null ? out.ascii("null") : out.string(next)).put('}');
  }
}

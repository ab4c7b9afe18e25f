package gilmok.history;

import gilmok.event.JsonBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * A table (RFC 4180): a line for each position, and a header with the names of {@link JsonTrace}.
 */
final class CsvTrace implements TraceWriter {
  private static final String HEADER =
      "riderId,at,lat,lon,accuracy,speed,bearing,altitude,battery,provider,deliveryId\r\n";

  @Override
  public void begin(JsonBuffer out) {
    out.ascii(HEADER);
  }

  @Override
  public void point(String riderId, TracePoint point, JsonBuffer out) {
    text(riderId, out);
    out.put(',').instant(point.atMillis());
    out.put(',').number(point.lat()).put(',').number(point.lon());
    TracePoint.Measured measured = point.measured();
    number(measured.accuracy(), out);
    number(measured.speed(), out);
    number(measured.bearing(), out);
    number(measured.altitude(), out);
    number(measured.battery(), out);
    text(point.provider(), out.put(','));
    text(point.deliveryId(), out.put(','));
    out.ascii("\r\n");
  }

  private static void number(double value, JsonBuffer out) {
    out.put(',');
    if (!Double.isNaN(value)) {
      out.number(value);
    }
  }

  private static void text(@Nullable String value, JsonBuffer out) {
    if (value == null) {
      return;
    }
    boolean isQuoted = value.chars().anyMatch(one -> one == ',' || one == '"' || one < ' ');
    String field = isQuoted ? '"' + value.replace("\"", "\"\"") + '"' : value;
    byte[] utf8 = field.getBytes(StandardCharsets.UTF_8);
    out.raw(utf8, 0, utf8.length);
  }

  @Override
  public void end(@Nullable String next, JsonBuffer out) {}
}

package gilmok.history;

import gilmok.event.JsonBuffer;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * GPX 1.1: a track for each rider, a segment for each part without a long gap. The schema has
 * decimals without exponents, longitudes below 180, and of what phones measure the altitude alone.
 */
final class GpxTrace implements TraceWriter {
  private @Nullable String rider;

  @Override
  public void begin(JsonBuffer out) {
    out.ascii("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    out.ascii("<gpx version=\"1.1\" creator=\"Gilmok\"");
    out.ascii(" xmlns=\"http://www.topografix.com/GPX/1/1\">\n");
  }

  @Override
  public void gap(JsonBuffer out) {
    out.ascii("</trkseg><trkseg>\n");
  }

  @Override
  public void point(String riderId, TracePoint point, JsonBuffer out) {
    if (!riderId.equals(rider)) {
      endTrack(out);
      out.ascii("<trk><name>");
      text(riderId, out);
      out.ascii("</name><trkseg>\n");
      rider = riderId;
    }
    out.ascii("<trkpt lat=\"");
    number(point.lat(), out);
    out.ascii("\" lon=\"");
    number(point.lon() == 180 ? -180 : point.lon(), out);
    out.ascii("\">");
    if (!Double.isNaN(point.measured().altitude())) {
      out.ascii("<ele>");
      number(point.measured().altitude(), out);
      out.ascii("</ele>");
    }
    out.ascii("<time>").instant(point.atMillis()).ascii("</time></trkpt>\n");
  }

  private void endTrack(JsonBuffer out) {
    if (rider != null) {
      out.ascii("</trkseg></trk>\n");
    }
  }

  private static void number(double value, JsonBuffer out) {
    int start = out.size();
    out.number(value);
    for (int i = start; i < out.size(); i++) {
      if (out.bytes()[i] == 'E') {
        out.cut(start);
        out.ascii(BigDecimal.valueOf(value).stripTrailingZeros().toPlainString());
        return;
      }
    }
  }

  private static void text(String value, JsonBuffer out) {
    StringBuilder xml = new StringBuilder();
    for (int i = 0; i < value.length(); i++) {
      char one = value.charAt(i);
      switch (one) {
        case '&' -> xml.append("&amp;");
        case '<' -> xml.append("&lt;");
        case '>' -> xml.append("&gt;");
        case '\uFFFE', '\uFFFF' -> xml.append('\uFFFD'); // XML has no such characters
        default -> xml.append(one);
      }
    }
    byte[] utf8 = xml.toString().getBytes(StandardCharsets.UTF_8);
    out.raw(utf8, 0, utf8.length);
  }

  @Override
  public void end(@Nullable String next, JsonBuffer out) {
    endTrack(out);
    out.ascii("</gpx>\n");
  }
}

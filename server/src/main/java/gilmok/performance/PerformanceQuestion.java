package gilmok.performance;

import gilmok.collect.json.JsonDocument;
import gilmok.event.DayRange;
import gilmok.event.JsonBuffer;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Whose performance, and of which days. Immutable.
 *
 * @param from the first day
 * @param to the last day
 */
record PerformanceQuestion(LocalDate from, LocalDate to, RiderHistory.Whose whose) {
  /** Most days of one question. */
  static final int DAYS_MAX = 366;

  /** How many days. */
  int count() {
    return Math.toIntExact(to.toEpochDay() - from.toEpochDay() + 1);
  }

  /** The days in a zone. */
  DayRange days(ZoneId zone) {
    return DayRange.of(from, to, zone);
  }

  /** As a text that {@link #of} reads. */
  String text() {
    JsonBuffer out = new JsonBuffer();
    out.ascii("{\"from\":\"").ascii(from.toString());
    out.ascii("\",\"to\":\"").ascii(to.toString()).put('"');
    member(",\"riderId\":", whose.riderId(), out);
    member(",\"shopId\":", whose.shopId(), out);
    member(",\"agencyId\":", whose.agencyId(), out);
    return out.put('}').toString();
  }

  private static void member(String name, @Nullable String value, JsonBuffer out) {
    if (value != null) {
      out.ascii(name).string(value);
    }
  }

  /** Reads what {@link #text} wrote. */
  static PerformanceQuestion of(String text) {
    JsonDocument document = new JsonDocument();
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
    int root = document.read(utf8, 0, utf8.length);
    return new PerformanceQuestion(
        date(document, root, "from"),
        date(document, root, "to"),
        new RiderHistory.Whose(
            document.text(document.member(root, "riderId")),
            document.text(document.member(root, "shopId")),
            document.text(document.member(root, "agencyId"))));
  }

  private static LocalDate date(JsonDocument document, int root, String name) {
    return Objects.requireNonNull(DayRange.date(document.text(document.member(root, name))));
  }
}

package gilmok.sinks.file;

import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * An hour of a zone's clocks, or the part of one until they are set: its records are in one folder.
 * An hour that comes twice, as clocks are set back, is two of these with the same folder.
 *
 * @param folder its name below that of the stream
 * @param fromMillis its first instant, epoch ms
 * @param untilMillis the instant after its last
 */
record FolderHour(String folder, long fromMillis, long untilMillis) {
  private static final long MILLIS = 3_600_000;

  static FolderHour of(long millis, ZoneId zone) {
    ZoneRules rules = zone.getRules();
    Instant at = Instant.ofEpochMilli(millis);
    var shown = at.atOffset(rules.getOffset(at));
    long ahead = shown.getOffset().getTotalSeconds() * 1000L;
    long from = Math.floorDiv(millis + ahead, MILLIS) * MILLIS - ahead;
    long until = from + MILLIS;
    ZoneOffsetTransition before = rules.previousTransition(at.plusNanos(1));
    ZoneOffsetTransition after = rules.nextTransition(at);
    return new FolderHour(
        String.format(Locale.ROOT, "date=%s/hour=%02d", shown.toLocalDate(), shown.getHour()),
        before == null ? from : Math.max(from, before.getInstant().toEpochMilli()),
        after == null ? until : Math.min(until, after.getInstant().toEpochMilli()));
  }

  /**
   * The hour of a folder by its name and that of the folder of its date; null when they name none.
   * One that comes twice is both together.
   */
  static @Nullable FolderHour parse(Path hour, ZoneId zone) {
    String date = String.valueOf(hour.resolveSibling("").getFileName());
    String name = String.valueOf(hour.getFileName());
    if (!date.startsWith("date=") || !name.matches("hour=([01]\\d|2[0-3])")) {
      return null;
    }
    try {
      LocalDateTime from =
          LocalDate.parse(date.substring(5)).atTime(Integer.parseInt(name.substring(5)), 0);
      return new FolderHour(
          date + "/" + name,
          from.atZone(zone).withEarlierOffsetAtOverlap().toInstant().toEpochMilli(),
          from.plusHours(1).atZone(zone).withLaterOffsetAtOverlap().toInstant().toEpochMilli());
    } catch (DateTimeException noDate) {
      return null;
    }
  }

  boolean has(long millis) {
    return fromMillis <= millis && millis < untilMillis;
  }
}

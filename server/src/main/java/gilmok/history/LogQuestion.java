package gilmok.history;

import gilmok.http.Exchange;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Which log lines are asked for. Immutable.
 *
 * @param rider null for all riders
 * @param levels in small letters; empty for all
 * @param text what the message must have somewhere, in small letters; empty for any message
 * @param limit the most lines of a page
 * @param after where the page before ended; null for the first one
 */
record LogQuestion(
    @Nullable String rider,
    Set<String> levels,
    String text,
    TimeSpan span,
    int limit,
    @Nullable PageCursor after) {
  private static final int LIMIT = 100;
  private static final int LIMIT_MAX = 1_000;
  private static final int TEXT_CHARS_MAX = 200;
  private static final int LEVELS_MAX = 10;

  LogQuestion {
    levels = Set.copyOf(levels);
  }

  /** Reads a question; null when it was refused. */
  static @Nullable LogQuestion of(Exchange exchange, HistoryConfig config, long nowMillis) {
    QuestionParameters asked = new QuestionParameters(exchange);
    String rider = asked.text("rider");
    if (rider != null && rider.isEmpty()) {
      asked.wrong("rider", "empty");
    }
    Set<String> levels = levels(asked);
    String text = asked.text("q");
    String sought = text == null ? "" : text.toLowerCase(Locale.ROOT);
    if (sought.length() > TEXT_CHARS_MAX) {
      asked.wrong("q", "over " + TEXT_CHARS_MAX + " characters");
    }
    int limit = asked.whole("limit", LIMIT, 1, LIMIT_MAX);
    String cursor = asked.text("cursor");
    PageCursor after =
        cursor == null ? null : PageCursor.of(cursor, Objects.hash(rider, levels, sought));
    TimeSpan span = asked.span(config, after, nowMillis);
    boolean isOfThis =
        after != null
            && after.fromMillis() == span.fromMillis()
            && after.untilMillis() == span.untilMillis();
    if (cursor != null && !isOfThis) {
      asked.wrong("cursor", "must be the next of the page before, of the same question");
    }
    return asked.isRefused() ? null : new LogQuestion(rider, levels, sought, span, limit, after);
  }

  private static Set<String> levels(QuestionParameters asked) {
    String given = asked.text("level");
    Set<String> levels = new TreeSet<>();
    if (given != null) {
      levels.addAll(Arrays.asList(given.toLowerCase(Locale.ROOT).split(",", -1)));
      if (levels.contains("") || levels.size() > LEVELS_MAX) {
        asked.wrong("level", "must be one level, or a few with commas between them");
      }
    }
    return levels;
  }

  /** Whether a level, in UTF-8, is one of those that are asked for. */
  boolean isOfLevel(byte[] bytes, int offset, int length) {
    return levels.isEmpty()
        || levels.contains(
            new String(bytes, offset, length, StandardCharsets.UTF_8).toLowerCase(Locale.ROOT));
  }

  /** Whether a message, in UTF-8, has the text that is asked for. */
  boolean hasText(byte[] bytes, int offset, int length) {
    return text.isEmpty()
        || new String(bytes, offset, length, StandardCharsets.UTF_8)
            .toLowerCase(Locale.ROOT)
            .contains(text);
  }

  /** Whether a place is on this page or on a later one. The newest come first. */
  boolean isBehind(Place place) {
    return after == null || place.compareTo(after.last()) < 0;
  }

  /** Whether a page that ends at a place gets on. */
  boolean isWithin(Place end) {
    return end.atMillis() < span.untilMillis() && isBehind(end);
  }

  /** The cursor of the page behind a line. */
  PageCursor behind(Place last) {
    int question = Objects.hash(rider, levels, text);
    return new PageCursor(question, span.fromMillis(), span.untilMillis(), "", last);
  }
}

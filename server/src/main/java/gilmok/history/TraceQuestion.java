package gilmok.history;

import gilmok.http.Exchange;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Whose positions are asked for, of when, and in which form. Immutable.
 *
 * @param path what was asked, with whom it is about
 * @param riders in the order of the answer, which is that of their ids
 * @param simplify how far a line may be from what was left out, in metres; 0 leaves nothing out
 * @param limit the most positions of a page
 * @param after where the page before ended; null for the first one
 */
record TraceQuestion(
    String path,
    List<String> riders,
    TimeSpan span,
    TraceFormat format,
    double simplify,
    int limit,
    @Nullable PageCursor after) {
  private static final int LIMIT = 10_000;
  private static final int LIMIT_MAX = 100_000;
  private static final int SIMPLIFY_METRES_MAX = 10_000;

  /** Reads a question; null when it was refused. */
  static @Nullable TraceQuestion of(
      Exchange exchange, List<String> riders, HistoryConfig config, long nowMillis) {
    QuestionParameters asked = new QuestionParameters(exchange);
    String word = asked.text("format");
    TraceFormat format = TraceFormat.of(word == null ? TraceFormat.JSON.word() : word);
    if (format == null) {
      asked.wrong("format", "must be json, geojson, gpx or csv");
      return null;
    }
    for (String name : new String[] {"limit", "cursor"}) {
      if (!format.hasPages() && asked.text(name) != null) {
        asked.wrong(name, "only with format json: the others are one piece");
      }
    }
    double simplify = asked.number("simplify", 0, 0, SIMPLIFY_METRES_MAX);
    int limit = asked.whole("limit", LIMIT, 1, LIMIT_MAX);
    String cursor = asked.text("cursor");
    PageCursor after =
        cursor == null ? null : PageCursor.of(cursor, hash(exchange.path(), simplify));
    TimeSpan span = asked.span(config, after, nowMillis);
    boolean isOfThis =
        after != null
            && after.fromMillis() == span.fromMillis()
            && after.untilMillis() == span.untilMillis();
    if (cursor != null && !isOfThis) {
      asked.wrong("cursor", "must be the next of the page before, of the same question");
    }
    return asked.isRefused()
        ? null
        : new TraceQuestion(exchange.path(), riders, span, format, simplify, limit, after);
  }

  private static int hash(String path, double simplify) {
    return Objects.hash(path, simplify);
  }

  /** The cursor of the page behind a position. */
  PageCursor behind(String rider, Place last) {
    return new PageCursor(hash(path, simplify), span.fromMillis(), span.untilMillis(), rider, last);
  }

  /** All that decides what is answered, for a tag. */
  String text() {
    String cursor = after == null ? "" : after.text();
    return String.join(
        " ",
        path,
        Long.toString(span.fromMillis()),
        Long.toString(span.untilMillis()),
        format.word(),
        Double.toString(simplify),
        Integer.toString(limit),
        cursor);
  }
}

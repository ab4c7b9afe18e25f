package gilmok.history;

import gilmok.collect.json.Fields;
import gilmok.event.DayRange;
import gilmok.http.Exchange;
import gilmok.http.Refusal;
import java.time.LocalDate;
import org.jspecify.annotations.Nullable;

/**
 * Reads the parameters of a question; the first that is wrong refuses it. Once there is one, what
 * was read must not be used.
 *
 * <p>Not thread-safe: belongs to the exchange's event loop.
 */
final class QuestionParameters {
  private static final long DAY_MILLIS = 86_400_000;

  private final Exchange exchange;
  private boolean refused;

  QuestionParameters(Exchange exchange) {
    this.exchange = exchange;
  }

  /** Whether it was refused. */
  boolean isRefused() {
    return refused;
  }

  /** Refuses the question, unless it is refused already. */
  void wrong(String field, String reason) {
    if (!refused) {
      refused = true;
      exchange.refuse(Refusal.INVALID, field, reason);
    }
  }

  /** A text; null when it is not given. */
  @Nullable String text(String name) {
    return exchange.query(name);
  }

  /** A whole number within bounds. */
  int whole(String name, int usual, int min, int max) {
    String asked = exchange.query(name);
    long number = asked == null ? usual : Fields.digits(asked);
    if (number < min || number > max) {
      wrong(name, "must be a number from " + min + " to " + max);
      return usual;
    }
    return (int) number;
  }

  /** A number from {@code min} to {@code max}, both whole. */
  double number(String name, double usual, int min, int max) {
    String asked = exchange.query(name);
    if (asked == null) {
      return usual;
    }
    double number =
        asked.matches("\\d{1,9}(\\.\\d{1,9})?") ? Double.parseDouble(asked) : Double.NaN;
    if (!(number >= min && number <= max)) {
      wrong(name, "must be a number from " + min + " to " + max);
      return usual;
    }
    return number;
  }

  /**
   * The time that is asked about: {@code from} and {@code to}, or a {@code date}; the last 24 hours
   * when neither is given.
   *
   * @param page where the page before ended, which knows the time that the first one asked about
   */
  TimeSpan span(HistoryConfig config, @Nullable PageCursor page, long nowMillis) {
    String date = exchange.query("date");
    long late = config.lateMax().toMillis();
    TimeSpan asked = date == null ? between(late, page, nowMillis) : day(date, config, late);
    long longest = config.spanMax().toMillis();
    if (asked.untilMillis() <= asked.fromMillis()) {
      wrong("to", "must be after from");
    } else if (asked.untilMillis() - asked.fromMillis() > longest) {
      wrong("to", "more than history.span-max after from: " + longest / 1000 + " s");
    }
    return asked;
  }

  private TimeSpan between(long late, @Nullable PageCursor page, long nowMillis) {
    long to = time("to", page == null ? nowMillis : page.untilMillis());
    long from = time("from", page == null ? to - DAY_MILLIS : page.fromMillis());
    return TimeSpan.of(Math.max(0, from), to, late);
  }

  private long time(String name, long usual) {
    String asked = exchange.query(name);
    long millis = asked == null ? usual : Fields.millis(asked);
    if (asked != null && millis < 0) {
      wrong(name, "must be a time: RFC 3339 or epoch ms");
      return usual;
    }
    return millis;
  }

  private TimeSpan day(String spelled, HistoryConfig config, long late) {
    LocalDate date = DayRange.date(spelled);
    if (date == null) {
      wrong("date", "must be a date, as in 2026-03-01");
      return TimeSpan.of(0, 1, late);
    }
    if (exchange.query("from") != null || exchange.query("to") != null) {
      wrong("date", "not together with from or to");
    }
    DayRange day = DayRange.of(date, date, config.zone());
    return TimeSpan.of(day.fromMillis(), day.untilMillis(), late);
  }
}

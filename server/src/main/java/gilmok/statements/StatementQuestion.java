package gilmok.statements;

import gilmok.http.Answer;
import gilmok.http.Exchange;
import java.time.LocalDate;
import java.time.format.DateTimeParseException;
import org.jspecify.annotations.Nullable;

/** The query of a request for a statement. Immutable. */
record StatementQuestion(String riderId, DayRange days, String currency, boolean hasEntries) {
  /** Most days of one statement. */
  static final int DAYS_MAX = 366;

  private static final int YEAR_MIN = 1970;
  private static final int YEAR_MAX = 2100;

  /** A query, or the answer that refuses it. */
  record Read(@Nullable StatementQuestion question, Answer refusal) {
    private static final Answer NONE = _ -> {};

    private static Read wrong(String field, String reason) {
      return new Read(null, Answer.invalid(field, reason));
    }
  }

  /** Reads a request's path and query, on its event loop. */
  static Read of(Exchange exchange, StatementsConfig config) {
    String riderId = exchange.pathParameter("id");
    LocalDate from = date(exchange.query("from"));
    LocalDate to = date(exchange.query("to"));
    String currency = exchange.query("currency");
    String entries = exchange.query("entries");
    if (from == null || to == null) {
      return Read.wrong(from == null ? "from" : "to", "must be a date, as in 2026-03-01");
    }
    long count = to.toEpochDay() - from.toEpochDay() + 1;
    if (count < 1) {
      return Read.wrong("to", "before from");
    }
    if (count > DAYS_MAX) {
      return Read.wrong("to", "more than " + DAYS_MAX + " days");
    }
    if (currency != null && !EntryBody.isCurrency(currency)) {
      return Read.wrong("currency", "not three capital letters");
    }
    if (entries != null && !entries.equals("true") && !entries.equals("false")) {
      return Read.wrong("entries", "must be true or false");
    }
    StatementQuestion question =
        new StatementQuestion(
            riderId,
            DayRange.of(from, to, config.zone()),
            currency == null ? config.currency() : currency,
            "true".equals(entries));
    return new Read(question, Read.NONE);
  }

  /** Parses an ISO 8601 date; null when the text is none. */
  static @Nullable LocalDate date(@Nullable String spelled) {
    try {
      LocalDate date = spelled == null ? null : LocalDate.parse(spelled);
      return date == null || date.getYear() < YEAR_MIN || date.getYear() > YEAR_MAX ? null : date;
    } catch (DateTimeParseException none) {
      return null;
    }
  }
}

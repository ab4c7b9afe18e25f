package gilmok.statements;

import gilmok.event.DayRange;
import gilmok.http.Answer;
import gilmok.http.Exchange;
import java.time.LocalDate;
import org.jspecify.annotations.Nullable;

/** The query of a request for a statement. Immutable. */
record StatementQuestion(String riderId, DayRange days, String currency, boolean hasEntries) {
  /** Most days of one statement. */
  static final int DAYS_MAX = 366;

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
    LocalDate from = DayRange.date(exchange.query("from"));
    LocalDate to = DayRange.date(exchange.query("to"));
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
    if (currency != null && !EntryReader.isCurrency(currency)) {
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
}

package gilmok.history;

import gilmok.history.trip.TripRules;
import gilmok.http.Exchange;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Whose stays or trips are asked for, of when, and by which rules. Immutable.
 *
 * @param path what was asked, with whom it is about
 * @param riders in the order of the answer, which is that of their ids
 */
record StopsQuestion(String path, List<String> riders, TimeSpan span, TripRules rules) {
  /** Reads a question; null when it was refused. */
  static @Nullable StopsQuestion of(
      Exchange exchange, List<String> riders, HistoryConfig config, long nowMillis) {
    QuestionParameters asked = new QuestionParameters(exchange);
    TimeSpan span = asked.span(config, null, nowMillis);
    int radius = asked.whole("radius", TripRules.RADIUS_METRES, 1, TripRules.RADIUS_MAX_METRES);
    Duration stay = minutes(asked, "minutes", TripRules.STAY, TripRules.AWAY);
    Duration usual = TripRules.GAP.compareTo(stay) < 0 ? stay : TripRules.GAP;
    Duration gap = minutes(asked, "gap", usual, stay);
    return asked.isRefused()
        ? null
        : new StopsQuestion(exchange.path(), riders, span, new TripRules(radius, stay, gap));
  }

  private static Duration minutes(
      QuestionParameters asked, String name, Duration usual, Duration min) {
    int longest = (int) TripRules.LONGEST.toMinutes();
    return Duration.ofMinutes(
        asked.whole(name, (int) usual.toMinutes(), (int) min.toMinutes(), longest));
  }

  /** All that decides what is answered, for a tag. */
  String text() {
    return String.join(
        " ",
        path,
        Long.toString(span.fromMillis()),
        Long.toString(span.untilMillis()),
        rules.toString());
  }
}

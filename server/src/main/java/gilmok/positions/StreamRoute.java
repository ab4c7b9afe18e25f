package gilmok.positions;

import gilmok.auth.Binding;
import gilmok.auth.Principal;
import gilmok.http.Exchange;
import gilmok.http.Refusal;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** {@code GET /v1/stream/positions}. Thread-safe. */
record StreamRoute(Positions positions) {
  void handle(Exchange exchange) {
    List<String> riders =
        exchange.queryAll("rider").stream()
            .flatMap(listed -> Arrays.stream(listed.split(",", -1)))
            .toList();
    if (!isTheirs(exchange.principal(), riders)) {
      exchange.refuse(Refusal.NOT_YOURS);
      return;
    }
    PositionQuestion question = new PositionQuestion(exchange);
    StreamFilter filter = filter(question, riders, exchange.query("bbox"));
    int interval =
        question.whole(
            "interval",
            (int) positions.config().streamInterval().toMillis(),
            (int) PositionsConfig.STREAM_INTERVAL_MIN.toMillis(),
            (int) PositionsConfig.STREAM_INTERVAL_MAX.toMillis());
    if (question.isRefused()) {
      return;
    }
    if (!positions.readers().enter()) {
      exchange.refuse(Refusal.BUSY);
      return;
    }
    boolean isAdded = false;
    try {
      exchange.replyHeader("Cache-Control", "no-store");
      exchange.replyHeader("X-Accel-Buffering", "no");
      positions
          .readers()
          .add(
              exchange.stream("text/event-stream"),
              exchange.principal(),
              filter,
              TimeUnit.MILLISECONDS.toNanos(interval),
              resumed(exchange));
      isAdded = true;
    } finally {
      if (!isAdded) {
        positions.readers().leave();
      }
    }
  }

  /**
   * The id to resume from. A browser sends it as a header when it reconnects; the query parameter
   * serves the first request.
   */
  private static String resumed(Exchange exchange) {
    String header = exchange.header("Last-Event-ID");
    String resumed = header == null ? exchange.query("lastEventId") : header;
    return resumed == null ? "" : resumed;
  }

  private static boolean isTheirs(Principal principal, List<String> riders) {
    return principal.binding() == null
        || (!riders.isEmpty()
            && riders.stream().allMatch(rider -> principal.mayActFor(Binding.Kind.RIDER, rider)));
  }

  private static StreamFilter filter(
      PositionQuestion question, List<String> riders, @Nullable String bbox) {
    Set<RiderKey> keys = new LinkedHashSet<>();
    for (String rider : riders) {
      if (rider.isEmpty()) {
        question.wrong("rider", "empty");
      }
      keys.add(RiderKey.of(rider));
    }
    if (keys.size() > StreamFilter.RIDERS_MAX) {
      question.wrong("rider", "more than " + StreamFilter.RIDERS_MAX);
    }
    return new StreamFilter(List.copyOf(keys), bbox == null ? null : question.box("bbox", bbox));
  }
}

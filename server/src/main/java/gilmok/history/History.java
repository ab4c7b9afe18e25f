package gilmok.history;

import gilmok.auth.Binding;
import gilmok.auth.Principal;
import gilmok.event.JsonBuffer;
import gilmok.history.HistoryMeters.Kind;
import gilmok.http.Answer;
import gilmok.http.Exchange;
import gilmok.http.Offloads;
import gilmok.http.OwnershipRule;
import gilmok.http.Priority;
import gilmok.http.Refusal;
import gilmok.http.Route;
import gilmok.log.Log;
import gilmok.log.Stream;
import gilmok.log.StreamRetention;
import gilmok.observe.Meters;
import gilmok.warmup.Drainable;
import gilmok.warmup.Warmable;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The routes of the past: of a rider, and of the riders of a group. Handlers read the question on
 * its event loop; all else is left to {@link Questions}. Thread-safe.
 */
public final class History implements Drainable, Warmable {
  private static final String[] TRACE = {
    "from", "to", "date", "format", "simplify", "limit", "cursor"
  };

  private static final String[] STOPS = {"from", "to", "date", "radius", "minutes", "gap"};

  private final HistoryConfig config;
  private final Sources sources;
  private final Questions questions;

  /**
   * What answers are made of.
   *
   * @param kept how long the log keeps each stream
   * @param shipped the files, by the stream that is shipped into them
   * @param groups null where phones are not known
   * @param hidden whether a rider's past is shown to nobody
   */
  public record Sources(
      Log log,
      StreamRetention kept,
      Map<Stream, ShippedStream> shipped,
      @Nullable GroupRiders groups,
      Predicate<String> hidden,
      InstantSource clock) {
    public Sources {
      shipped = Map.copyOf(shipped);
    }
  }

  public History(HistoryConfig config, Sources sources, Meters meters, Offloads offloads) {
    this.config = config;
    this.sources = sources;
    questions = new Questions(config, new ProcessorShare(sources.log()::durable), meters, offloads);
    HistoryMeters.footers(
        meters, sources.shipped.values().stream().map(ShippedStream::files).distinct().toList());
  }

  /** All routes. */
  public List<Route> routes() {
    return List.of(
        ofRider("trace", this::trace).queriedBy(TRACE),
        ofGroup("trace", this::trace).queriedBy(TRACE),
        ofRider("trips", stops(Kind.TRIPS)).queriedBy(STOPS),
        ofGroup("trips", stops(Kind.TRIPS)).queriedBy(STOPS),
        ofRider("stays", stops(Kind.STAYS)).queriedBy(STOPS),
        ofGroup("stays", stops(Kind.STAYS)).queriedBy(STOPS),
        Route.read("/v1/logs", OwnershipRule.IN_QUERY, Priority.REPORTS, this::logs)
            .queriedBy("rider", "level", "q", "from", "to", "date", "limit", "cursor"));
  }

  /** A question about some riders. */
  @FunctionalInterface
  private interface Asked {
    void ask(Exchange exchange, List<String> riders);
  }

  private Route ofRider(String what, Asked asked) {
    return Route.read(
        "/v1/riders/{id}/" + what,
        OwnershipRule.RIDER_IN_PATH,
        Priority.REPORTS,
        exchange -> ofRider(exchange, asked));
  }

  private void ofRider(Exchange exchange, Asked asked) {
    String rider = exchange.pathParameter("id");
    if (sources.hidden.test(rider)) {
      exchange.refuse(
          Refusal.NOT_FOUND, "id", "this rider's past is not shown: see the rider's consent");
    } else {
      asked.ask(exchange, List.of(rider));
    }
  }

  private Route ofGroup(String what, Asked asked) {
    return Route.read(
        "/v1/groups/{id}/" + what,
        OwnershipRule.UNBOUND_ONLY,
        Priority.REPORTS,
        exchange -> ofGroup(exchange, asked));
  }

  private void ofGroup(Exchange exchange, Asked asked) {
    GroupRiders groups = sources.groups;
    List<String> riders;
    try {
      riders =
          groups == null
              ? List.of()
              : groups.of(exchange.pathParameter("id")).stream()
                  .filter(sources.hidden.negate())
                  .toList();
    } catch (IOException notKnownYet) {
      exchange.refuse(Refusal.BUSY);
      return;
    }
    asked.ask(exchange, riders);
  }

  /** Whether there is anybody to ask about; else it refuses. After what was asked was checked. */
  private static boolean has(List<String> riders, Exchange exchange) {
    if (riders.isEmpty()) {
      exchange.refuse(Refusal.NOT_FOUND, "id", "no phone is in a group of that name");
    }
    return !riders.isEmpty();
  }

  private void trace(Exchange exchange, List<String> riders) {
    TraceQuestion question = TraceQuestion.of(exchange, riders, config, sources.clock.millis());
    if (question != null && has(riders, exchange)) {
      questions.ask(
          exchange,
          Kind.TRACE,
          () -> notKept(Stream.TRACES, question.span()),
          (time, counts) ->
              new TraceAnswer(
                  question, past(question.riders(), question.span(), time, counts), counts));
    }
  }

  private Asked stops(Kind kind) {
    return (exchange, riders) -> {
      StopsQuestion question = StopsQuestion.of(exchange, riders, config, sources.clock.millis());
      if (question != null && has(riders, exchange)) {
        questions.ask(
            exchange,
            kind,
            () -> notKept(Stream.TRACES, question.span()),
            (time, counts) ->
                new StopsAnswer(
                    question, kind, past(riders, question.span(), time, counts), counts));
      }
    };
  }

  private void logs(Exchange exchange) {
    String rider = exchange.query("rider");
    Principal asks = exchange.principal();
    if (asks.binding() != null && (rider == null || !asks.mayActFor(Binding.Kind.RIDER, rider))) {
      exchange.refuse(Refusal.NOT_YOURS);
      return;
    }
    LogQuestion question = LogQuestion.of(exchange, config, sources.clock.millis());
    if (question != null) {
      questions.ask(
          exchange,
          Kind.LOGS,
          () -> notKept(Stream.LOGS, question.span()),
          (time, counts) -> lines(question, time, counts));
    }
  }

  private LogAnswer lines(LogQuestion question, QuestionTime time, QuestionCounts counts)
      throws IOException {
    ShippedStream shipped = sources.shipped.get(Stream.LOGS);
    long settled = shipped == null ? 0 : shipped.settled().getAsLong();
    FreshRecords fresh =
        new FreshRecords(
            sources.log,
            Stream.LOGS,
            question.span(),
            settled,
            sources.clock.millis(),
            time,
            counts);
    return new LogAnswer(question, fresh, shipped, time, counts);
  }

  /** A refusal, if the past does not reach so far back. Reads the log's oldest segment. */
  private @Nullable Answer notKept(Stream stream, TimeSpan span) {
    Log log = sources.log;
    long oldest = log.oldestMillis();
    long begins = log.oldestSequence() <= 1 ? Long.MIN_VALUE : oldest;
    Duration kept = sources.kept.own().get(stream);
    if (kept != null) { // what is older may have been erased
      long from = sources.clock.millis() - kept.toMillis();
      begins = oldest < from ? from : begins;
    }
    return sources.shipped.containsKey(stream) || span.fromMillis() >= begins
        ? null
        : Answer.refused(
            Refusal.GONE,
            "from",
            "the log begins at "
                + new JsonBuffer().instant(begins)
                + "; a sink of files with format parquet keeps what is older");
  }

  private PastPoints past(
      List<String> riders, TimeSpan span, QuestionTime time, QuestionCounts counts)
      throws IOException {
    return new PastPoints(
        sources.log,
        sources.shipped.get(Stream.TRACES),
        new RiderSet(riders),
        span,
        sources.clock.millis(),
        time,
        counts);
  }

  @Override
  public String name() {
    return questions.name();
  }

  @Override
  public void drain(Duration patience) throws InterruptedException {
    questions.drain(patience);
  }
}

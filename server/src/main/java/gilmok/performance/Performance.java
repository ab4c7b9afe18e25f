package gilmok.performance;

import gilmok.auth.Binding;
import gilmok.auth.Principal;
import gilmok.auth.Scope;
import gilmok.event.DayRange;
import gilmok.http.Answer;
import gilmok.http.Exchange;
import gilmok.http.Offload;
import gilmok.http.Offloads;
import gilmok.http.OwnershipRule;
import gilmok.http.Priority;
import gilmok.http.Refusal;
import gilmok.http.Route;
import gilmok.jobs.JobKind;
import gilmok.jobs.JobRoutes;
import gilmok.jobs.Jobs;
import gilmok.log.Log;
import gilmok.warmup.Drainable;
import gilmok.warmup.Warmable;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The routes of performance: {@code GET /v1/riders/{id}/performance} and {@code GET
 * /v1/performance}. One day of one rider is answered at once, by few threads; anything longer
 * becomes a job. Thread-safe.
 */
public final class Performance implements Drainable, Warmable {
  private static final int IN_FLIGHT_MAX = 8;

  /** A pass over a day's log uses a processor; two at a time leave the others alone. */
  private static final int MEASURED_MAX = 2;

  /** So many records are read in about a second; more become a job. */
  private static final long RECORDS_AT_ONCE_MAX = 2_000_000;

  /** Uploads that are answered with indicators at a time; others get their usual answer. */
  private static final int UPLOADS_MAX = 16;

  /** How long an upload waits for its own actions: they mostly take some milliseconds. */
  private static final Duration APPLIED_WAIT = Duration.ofSeconds(1);

  private static final Duration DEADLINE = Duration.ofSeconds(30);

  private final DayOfRiders measuring;
  private final PerformanceJob kind;
  private final Jobs jobs;
  private final Offload offload;
  private final Semaphore places = new Semaphore(MEASURED_MAX, true);
  private final Offload ofUploads;
  private final AtomicInteger uploads = new AtomicInteger();
  private final InstantSource clock;
  private final Applied applied;

  /**
   * What performance is made of.
   *
   * @param planner null where nothing plans tours
   * @param applied waits until what phones sent has moved deliveries
   * @param hidden whether a rider's positions are not to be used
   */
  public record Sources(
      RiderHistory history,
      Log log,
      @Nullable TourPlanner planner,
      Applied applied,
      Predicate<String> hidden,
      InstantSource clock) {}

  /** Whether what was sent has moved deliveries. */
  @FunctionalInterface
  public interface Applied {
    /** Waits until the records up to a sequence have; false if they had not by then. */
    boolean await(long sequence, Duration patience) throws InterruptedException;
  }

  /** The kind of job that measures performance. */
  public static JobKind kind(PerformanceConfig config, Sources sources) {
    return new PerformanceJob(measuring(config, sources));
  }

  private static DayOfRiders measuring(PerformanceConfig config, Sources sources) {
    return new DayOfRiders(
        config, sources.history, sources.log, sources.planner, sources.hidden, sources.clock);
  }

  /** The routes, whose longer questions those jobs answer, which have this {@link #kind}. */
  public Performance(PerformanceConfig config, Sources sources, Jobs jobs, Offloads offloads) {
    clock = sources.clock;
    applied = sources.applied;
    ofUploads = offloads.of("indicators", "uploads get no indicators", 2 * UPLOADS_MAX, null);
    measuring = measuring(config, sources);
    kind = new PerformanceJob(measuring);
    this.jobs = jobs;
    offload =
        offloads.of(
            new Offload.Part(
                "performance", "performance cannot be measured", IN_FLIGHT_MAX, DEADLINE, null));
  }

  /** Both. */
  public List<Route> routes() {
    return List.of(
        Route.read(
                "/v1/riders/{id}/performance",
                OwnershipRule.RIDER_IN_PATH,
                Priority.REPORTS,
                exchange -> ask(exchange, exchange.pathParameter("id"), null, null))
            .queriedBy("from", "to", "format"),
        new Route(
                "GET",
                "/v1/performance",
                Scope.READ,
                OwnershipRule.IN_QUERY,
                Priority.REPORTS,
                0,
                this::askForMany)
            .queriedBy("from", "to", "shopId", "agencyId"));
  }

  private void askForMany(Exchange exchange) {
    String shop = exchange.query("shopId");
    String agency = exchange.query("agencyId");
    Principal asks = exchange.principal();
    Binding binding = asks.binding();
    boolean isTheirs =
        binding == null
            || (binding.kind() == Binding.Kind.SHOP && binding.id().equals(shop))
            || (binding.kind() == Binding.Kind.AGENCY && binding.id().equals(agency));
    if (!isTheirs) {
      exchange.refuse(Refusal.NOT_YOURS, "key", "bound to somebody else");
    } else {
      ask(exchange, null, shop, agency);
    }
  }

  private void ask(
      Exchange exchange, @Nullable String rider, @Nullable String shop, @Nullable String agency) {
    LocalDate from = DayRange.date(exchange.query("from"));
    LocalDate to = DayRange.date(exchange.query("to"));
    String format = exchange.query("format");
    String keyId = exchange.principal().keyId();
    if (from == null || to == null) {
      exchange.refuse(
          Refusal.INVALID, from == null ? "from" : "to", "must be a date, as in 2026-03-01");
      return;
    }
    PerformanceQuestion question =
        new PerformanceQuestion(from, to, new RiderHistory.Whose(rider, shop, agency));
    if (to.isBefore(from)) {
      exchange.refuse(Refusal.INVALID, "to", "before from");
    } else if (question.count() > PerformanceQuestion.DAYS_MAX) {
      exchange.refuse(Refusal.INVALID, "to", "more than " + PerformanceQuestion.DAYS_MAX + " days");
    } else if (format != null && !format.equals("json") && !format.equals("csv")) {
      exchange.refuse(Refusal.INVALID, "format", "must be json or csv");
    } else {
      offload.ask(exchange, () -> measured(question, "csv".equals(format), keyId));
    }
  }

  private Answer measured(PerformanceQuestion question, boolean isCsv, String keyId)
      throws IOException, InterruptedException {
    long from = question.days(measuring.config().zone()).begin(0);
    if (from < measuring.history().keptFromMillis()) {
      return Answer.refused(Refusal.GONE, "from", "deliveries of that time are no longer kept");
    }
    return question.whose().riderId() != null && question.count() == 1
        ? day(question, isCsv, keyId)
        : JobRoutes.submitted(jobs, kind, question.text(), keyId);
  }

  private Answer day(PerformanceQuestion question, boolean isCsv, String keyId)
      throws IOException, InterruptedException {
    DayRange days = question.days(measuring.config().zone());
    if (measuring.records(days.begin(0), days.begin(1)) > RECORDS_AT_ONCE_MAX) {
      return JobRoutes.submitted(jobs, kind, question.text(), keyId);
    }
    places.acquire();
    PerformanceReport report;
    try {
      report =
          new PerformanceReport(
              question, List.of(measuring.measure(question.whose(), days.begin(0), days.begin(1))));
    } finally {
      places.release();
    }
    return isCsv
        ? exchange -> exchange.reply(200, "text/csv", report.csv())
        : Answer.written(200, report::json);
  }

  /**
   * Answers an upload with its rider's indicators of today, as far as deliveries alone show them,
   * once its actions have moved them. From an event loop.
   *
   * @param sequence of its last record; 0 if it was a repeat
   * @param otherwise the usual answer: where there is no room, the key may not read that rider's
   *     data, or it fails
   */
  public void answer(Exchange exchange, String riderId, long sequence, Answer otherwise) {
    if (!mayRead(exchange.principal(), riderId)) {
      otherwise.send(exchange);
      return;
    }
    if (uploads.incrementAndGet() > UPLOADS_MAX) {
      uploads.decrementAndGet();
      otherwise.send(exchange);
      return;
    }
    ofUploads.ask(
        exchange,
        () -> {
          try {
            boolean _ = applied.await(sequence, APPLIED_WAIT);
            return today(riderId);
          } catch (IOException failed) {
            return otherwise; // it is stored; a refusal would have it sent again
          } finally {
            uploads.decrementAndGet();
          }
        });
  }

  private static boolean mayRead(Principal asks, String riderId) {
    return asks.has(Scope.READ) && asks.mayActFor(Binding.Kind.RIDER, riderId);
  }

  private Answer today(String riderId) throws IOException, InterruptedException {
    LocalDate today = LocalDate.ofInstant(clock.instant(), measuring.config().zone());
    PerformanceQuestion question =
        new PerformanceQuestion(today, today, new RiderHistory.Whose(riderId, null, null));
    DayRange days = question.days(measuring.config().zone());
    Indicators indicators = measuring.withoutPositions(riderId, days.begin(0), days.begin(1));
    PerformanceReport report =
        new PerformanceReport(question, List.of(Map.of(riderId, indicators)));
    return Answer.written(200, report::json);
  }

  @Override
  public String name() {
    return "performance";
  }

  @Override
  public void drain(Duration patience) throws InterruptedException {
    long until = System.nanoTime() + patience.toNanos();
    offload.drain(patience);
    ofUploads.drain(Drainable.left(until));
  }
}

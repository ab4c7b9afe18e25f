package gilmok.statements;

import gilmok.background.BackgroundLoop;
import gilmok.http.Offload;
import gilmok.http.Offloads;
import gilmok.http.Route;
import gilmok.log.Log;
import gilmok.observe.Meters;
import gilmok.retention.DocumentHousekeeper;
import gilmok.retention.DocumentRetention;
import gilmok.transfer.Dataset;
import gilmok.warmup.Drainable;
import gilmok.warmup.Warmable;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/**
 * The statements part of the server: its routes, and the reader that makes entries of completed
 * deliveries. Thread-safe.
 */
public final class Statements implements Drainable, Warmable {
  /** How long a client may take nothing of a streamed statement. */
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  /** With more requests in flight, old entries have to wait. */
  private static final int LOADED = 16;

  private final Offload offload;
  private final EntryStreams streams;
  private final StatementReader reader;
  private final List<Route> routes;
  private final Dataset dataset;
  private final BackgroundLoop housekeeping;

  /** Statements that are not started: {@link #start} begins to read completed deliveries. */
  public Statements(
      StatementsConfig config,
      EntryStore store,
      DocumentRetention<StatementEntry> retention,
      StatementsContext context)
      throws IOException, InterruptedException {
    Meters meters = context.meters();
    Offloads offloads = context.offloads();
    StatementMeters shown = new StatementMeters(meters);
    offload =
        offloads.of(
            "statements",
            "statements cannot be stored or summed",
            config.atWorkMax(),
            shown.failures);
    Offload writers =
        offloads.of(
            "statements_streams",
            "a statement was broken off",
            config.streamsMax(),
            shown.failures);
    streams = new EntryStreams(store, offload, writers, shown, PATIENCE.toNanos());
    reader = new StatementReader(context.log(), store, shown, context.loops());
    meters.gauge(
        "gilmok_statements_lag_records",
        "Durable records not yet searched for completed deliveries.",
        reader.follower::lagRecords);
    routes = new StatementRoutes(config, store, offload, shown, streams).routes();
    dataset = new EntryDataset(store, config.currency());
    housekeeping =
        new DocumentHousekeeper<>(
                retention,
                () -> offload.inFlight() > LOADED,
                context.log().node().toString(),
                context.clock(),
                meters)
            .loop(context.loops());
  }

  /**
   * Keeps the cursor of this part on a server where it does not run, as the records behind it were
   * not read. Records that a full log deletes behind it are counted.
   */
  public static void leftOff(Log log, Meters meters) {
    log.leaveOff(StatementReader.CURSOR, StatementMeters.skipped(meters)::add);
  }

  /** All routes. */
  public List<Route> routes() {
    return routes;
  }

  /** What can be exported and imported. */
  public Dataset dataset() {
    return dataset;
  }

  /** Starts reading the log, and the removal of old entries. */
  public void start() {
    reader.follower.start();
    housekeeping.start();
  }

  @Override
  public String name() {
    return "statements";
  }

  /** Finishes requests and the reading in flight. The store can be closed afterwards. */
  @Override
  public void drain(Duration patience) throws InterruptedException {
    long until = System.nanoTime() + patience.toNanos();
    housekeeping.stop(patience);
    streams.stop(Drainable.left(until));
    offload.drain(Drainable.left(until));
    reader.follower.stop(Drainable.left(until));
  }
}

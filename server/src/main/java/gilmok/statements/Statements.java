package gilmok.statements;

import gilmok.background.BackgroundLoops;
import gilmok.http.Offload;
import gilmok.http.Offloads;
import gilmok.http.Route;
import gilmok.log.Log;
import gilmok.observe.Meters;
import gilmok.warmup.Drainable;
import gilmok.warmup.Warmable;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/**
 * Statements over a store: their routes, and the entries that completed deliveries make.
 * Thread-safe.
 */
public final class Statements implements Drainable, Warmable {
  /** How long who reads a statement's entries may take nothing of them. */
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final Offload offload;
  private final EntryStreams streams;
  private final StatementReader reader;
  private final List<Route> routes;

  /** Statements that stand still: {@link #start} has completed deliveries read. */
  public Statements(
      StatementsConfig config,
      EntryStore store,
      Log log,
      Meters meters,
      Offloads offloads,
      BackgroundLoops loops)
      throws IOException, InterruptedException {
    StatementMeters shown = new StatementMeters(meters);
    offload =
        offloads.of(
            "statements",
            "statements cannot be kept or summed",
            config.atWorkMax(),
            shown.failures);
    Offload writers =
        offloads.of(
            "statements_streams",
            "a statement was broken off",
            config.streamsMax(),
            shown.failures);
    streams = new EntryStreams(store, offload, writers, shown, PATIENCE.toNanos());
    reader = new StatementReader(log, store, shown, loops);
    meters.gauge(
        "gilmok_statements_lag_records",
        "Records of the log that were not looked at for completed deliveries.",
        reader.follower::lagRecords);
    routes = new StatementRoutes(config, store, offload, shown, streams).routes();
  }

  /**
   * Where this part does not run: its cursor is kept, as what is behind it was not read, and what a
   * full log lets go of it is counted.
   */
  public static void leftOff(Log log, Meters meters) {
    log.leaveOff(StatementReader.CURSOR, StatementMeters.skipped(meters)::add);
  }

  /** What is answered of them. */
  public List<Route> routes() {
    return routes;
  }

  /** Begins to read the log. */
  public void start() {
    reader.follower.start();
  }

  @Override
  public String name() {
    return "statements";
  }

  /** Finishes what is under way. The store can be closed afterwards. */
  @Override
  public void drain(Duration patience) throws InterruptedException {
    long until = System.nanoTime() + patience.toNanos();
    streams.stop(patience);
    offload.drain(Drainable.left(until));
    reader.follower.stop(Drainable.left(until));
  }
}

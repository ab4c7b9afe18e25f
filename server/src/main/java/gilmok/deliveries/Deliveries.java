package gilmok.deliveries;

import gilmok.background.BackgroundLoop;
import gilmok.http.Offload;
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
import java.util.function.Consumer;

/**
 * The deliveries part of the server: its routes, the reader of riders' actions, and the publisher
 * of events to the log. Thread-safe.
 */
public final class Deliveries implements Drainable, Warmable {
  /** With more requests in flight, old deliveries have to wait. */
  private static final int LOADED = 16;

  private final Offload offload;
  private final DeliveryRoutes routes;
  private final ActionReader actions;
  private final OutboxPublisher teller;
  private final Dataset dataset;
  private final BackgroundLoop housekeeping;

  /**
   * Deliveries that are not started: {@link #start} begins to read actions and to publish events.
   */
  public Deliveries(
      DeliveriesConfig config,
      DeliveryStore store,
      Outbox outbox,
      DocumentRetention<StoredDelivery> retention,
      DeliveriesContext context,
      Consumer<Delivery> told)
      throws IOException, InterruptedException {
    DeliveryMeters meters = new DeliveryMeters(context.meters());
    offload =
        context
            .offloads()
            .of(
                "deliveries",
                "deliveries cannot be kept or looked up",
                config.atWorkMax(),
                meters.failures);
    teller = new OutboxPublisher(outbox, meters, context);
    housekeeping =
        new DocumentHousekeeper<>(
                retention,
                () -> offload.inFlight() > LOADED,
                context.log().node().toString(),
                context.clock(),
                context.meters())
            .loop(context.loops());
    dataset = new DeliveryDataset(store, config.currency(), context.clock());
    Consumer<Delivery> changed = told.andThen(teller::changed);
    actions = new ActionReader(context.log(), store, meters, context.loops(), changed);
    context
        .meters()
        .gauge(
            "gilmok_deliveries_lag_records",
            "Durable records not yet searched for riders' actions.",
            actions.follower::lagRecords);
    routes =
        new DeliveryRoutes(
            config,
            new DeliveryRoutesContext(
                store, offload, meters, context.clock(), context.random(), changed));
  }

  /**
   * Keeps the cursor of this part on a server where it does not run, as the records behind it were
   * not read. Records that a full log deletes behind it are counted.
   */
  public static void leftOff(Log log, Meters meters) {
    log.leaveOff(ActionReader.CURSOR, DeliveryMeters.skipped(meters)::add);
  }

  /** All routes. */
  public List<Route> routes() {
    return routes.routes();
  }

  /** What can be exported and imported. */
  public Dataset dataset() {
    return dataset;
  }

  /**
   * Waits until riders' actions up to a sequence of the log have moved their deliveries; false if
   * they had not by then.
   */
  public boolean awaitActions(long sequence, Duration patience) throws InterruptedException {
    return actions.follower.awaitSettled(sequence, patience);
  }

  /** Starts the reader of actions, the publisher and the removal of old ones. */
  public void start() {
    actions.follower.start();
    teller.loop.start();
    housekeeping.start();
  }

  @Override
  public String name() {
    return "deliveries";
  }

  /**
   * Finishes requests and actions in flight, then publishes their events. The store can be closed
   * afterwards.
   */
  @Override
  public void drain(Duration patience) throws InterruptedException {
    long until = System.nanoTime() + patience.toNanos();
    housekeeping.stop(patience);
    offload.drain(Drainable.left(until));
    actions.follower.stop(Drainable.left(until));
    teller.loop.stop(Drainable.left(until));
  }
}

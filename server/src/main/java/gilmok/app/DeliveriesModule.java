package gilmok.app;

import gilmok.adapter.ArchivedDeliveries;
import gilmok.config.Part;
import gilmok.deliveries.Deliveries;
import gilmok.deliveries.DeliveriesConfig;
import gilmok.deliveries.DeliveriesContext;
import gilmok.deliveries.DeliveryRemoval;
import gilmok.deliveries.relay.PartnerDataset;
import gilmok.deliveries.relay.PartnerRoutes;
import gilmok.deliveries.relay.Relay;
import gilmok.deliveries.relay.RelayConfig;
import gilmok.deliveries.relay.RelayContext;
import gilmok.deliveries.track.CustomerPage;
import gilmok.deliveries.track.LatestFix;
import gilmok.deliveries.track.TrackConfig;
import gilmok.deliveries.track.TrackRoutes;
import gilmok.performance.Performance;
import gilmok.positions.Positions;
import gilmok.privacy.Purpose;
import gilmok.retention.DocumentRetention;
import gilmok.sinks.file.ArchiveConfig;
import gilmok.storage.SecretFile;
import gilmok.warmup.Drainable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * Starts deliveries: their store, as the settings choose it, the webhooks to partners and the pages
 * for customers.
 */
final class DeliveriesModule implements Drainable {
  /**
   * The length of the secret that signs customers' links; with a new secret, all links given before
   * are invalid.
   */
  private static final int LINK_SECRET_BYTES = 32;

  private final Documents documents;
  private final Deliveries deliveries;
  private final Relay relay;
  private volatile RelayConfig limits;
  private volatile Duration keep;

  /**
   * Starts following the log and sending webhooks, unless this part is switched off.
   *
   * @param positions the positions of riders; null if that part is switched off
   * @param page shows a customer's page
   * @return whether riders' actions have moved deliveries; null if this part is switched off
   */
  static Performance.@Nullable Applied start(
      ServerContext context, @Nullable Positions positions, CustomerPage page)
      throws IOException, InterruptedException {
    if (!context.config.has(Part.DELIVERIES)) {
      Deliveries.leftOff(context.node.log(), context.meters);
      return null;
    }
    DeliveriesModule module = new DeliveriesModule(context, positions, page);
    module.deliveries.start();
    module.relay.start();
    context.ends(module);
    context.adjustables.add((_, next) -> module.limits = next.of(RelayConfig.class));
    context.adjustables.add((_, next) -> module.keep = next.of(DeliveriesConfig.class).keep());
    context.warmables.add(module.deliveries);
    return module.deliveries::awaitActions;
  }

  private DeliveriesModule(ServerContext context, @Nullable Positions positions, CustomerPage page)
      throws IOException, InterruptedException {
    ServerConfig config = context.config;
    documents = context.documents;
    ArchiveConfig archive = config.of(ArchiveConfig.class);
    limits = config.of(RelayConfig.class);
    keep = config.of(DeliveriesConfig.class).keep();
    relay =
        new Relay(
            new RelayContext(
                () -> limits,
                documents.outbox(),
                documents.partners(),
                context.node.log().node().toString(),
                documents.areShared(),
                context.meters,
                context.tracer,
                context.clock,
                context.random),
            context.privacy::givenToPartner,
            context.loops);
    deliveries =
        new Deliveries(
            config.of(DeliveriesConfig.class),
            documents.deliveries(),
            documents.outbox(),
            new DocumentRetention<>(
                DeliveryRemoval.KIND,
                () -> keep,
                archive.rests(),
                new ArchivedDeliveries(
                    archive.open(
                        context.folder.path(),
                        context.node.log().node(),
                        context.node.disk(),
                        context.clock,
                        context.archiving)),
                documents.deliveryRemoval()),
            new DeliveriesContext(
                context.node.log(),
                context.node.recordKeys(),
                context.meters,
                context.offloads,
                context.clock,
                context.loops,
                context.unreadable,
                ThreadLocalRandom::current,
                shard -> !documents.areShared() || relay.holds(shard)),
            relay::changed);
    context.answers(deliveries.routes());
    context.datasets.add(deliveries.dataset());
    context.datasets.add(new PartnerDataset(relay, context.clock));
    context.answers(
        new PartnerRoutes(
                relay, documents.deliveries(), context.audit, context.clock, context.offloads)
            .routes());
    context.answers(track(context, positions, page).routes());
  }

  private TrackRoutes track(ServerContext context, @Nullable Positions positions, CustomerPage page)
      throws IOException, InterruptedException {
    TrackConfig config = context.config.of(TrackConfig.class);
    byte[] secret =
        config.secret().isEmpty()
            ? SecretFile.of(
                context.folder.path().resolve("track.secret"), LINK_SECRET_BYTES, context.random)
            : config.secret().getBytes(StandardCharsets.UTF_8);
    return new TrackRoutes(
        config,
        secret,
        documents.deliveries(),
        new LatestFix(
            rider ->
                positions == null || context.privacy.consents().hides(Purpose.CUSTOMER, rider)
                    ? null
                    : context.privacy.givenToCustomer(rider, positions.event(rider))),
        page,
        context.clock,
        context.offloads);
  }

  @Override
  public String name() {
    return "deliveries";
  }

  /** Finishes the requests and the webhooks in flight. */
  @Override
  public void drain(Duration patience) throws InterruptedException {
    long until = System.nanoTime() + patience.toNanos();
    deliveries.drain(patience);
    relay.drain(Duration.ofNanos(Math.max(1, until - System.nanoTime())));
  }
}

package gilmok.app;

import gilmok.background.BackgroundLoops;
import gilmok.deliveries.Deliveries;
import gilmok.deliveries.DeliveriesContext;
import gilmok.deliveries.DeliveryJson;
import gilmok.deliveries.UnreadableDeliveries;
import gilmok.deliveries.relay.PartnerRoutes;
import gilmok.deliveries.relay.Relay;
import gilmok.deliveries.relay.RelayConfig;
import gilmok.deliveries.relay.RelayContext;
import gilmok.deliveries.track.RiderFix;
import gilmok.deliveries.track.TrackRoutes;
import gilmok.http.Offloads;
import gilmok.http.Route;
import gilmok.observe.Meters;
import gilmok.warmup.Drainable;
import gilmok.warmup.Warmable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Deliveries, kept where the settings say, told to partners and shown to customers. */
final class DeliveriesModule implements Drainable, Adjustable {
  private final Documents documents;
  private final Deliveries deliveries;
  private final Relay relay;
  private volatile RelayConfig limits;
  private final List<Route> routes = new ArrayList<>();

  /**
   * What they need of the server.
   *
   * @param documents closed by whoever opened them
   * @param latest where a rider is
   * @param page shows a customer's page
   */
  record Means(
      Documents documents,
      Path data,
      NodeLog node,
      Meters meters,
      Offloads offloads,
      InstantSource clock,
      BackgroundLoops loops,
      UnreadableDeliveries unreadable,
      SecureRandom random,
      Function<String, @Nullable RiderFix> latest,
      Route.Handler page) {}

  /** What of it is warmed up. */
  Warmable warmable() {
    return deliveries;
  }

  static DeliveriesModule start(ServerConfig config, Means means)
      throws IOException, InterruptedException {
    DeliveriesModule deliveriesModule = new DeliveriesModule(config, means);
    deliveriesModule.deliveries.start();
    deliveriesModule.relay.start();
    return deliveriesModule;
  }

  private DeliveriesModule(ServerConfig config, Means means)
      throws IOException, InterruptedException {
    documents = means.documents;
    limits = config.relay();
    relay =
        new Relay(
            new RelayContext(
                () -> limits,
                documents.deliveries(),
                documents.outbox(),
                documents.partners(),
                DeliveryJson::write,
                means.node.log().node().toString(),
                documents.areShared(),
                means.meters,
                means.clock,
                means.random),
            means.loops);
    deliveries =
        new Deliveries(
            config.deliveries(),
            documents.deliveries(),
            documents.outbox(),
            new DeliveriesContext(
                means.node.log(),
                means.node.recordKeys(),
                means.meters,
                means.offloads,
                means.clock,
                means.loops,
                means.unreadable,
                ThreadLocalRandom::current,
                shard -> !documents.areShared() || relay.holds(shard),
                relay::changed));
    routes.addAll(deliveries.routes());
    routes.addAll(
        new PartnerRoutes(relay, documents.deliveries(), means.clock, means.offloads).routes());
    routes.addAll(track(config, means).routes());
  }

  private TrackRoutes track(ServerConfig config, Means means)
      throws IOException, InterruptedException {
    String said = config.track().secret();
    byte[] secret =
        said.isEmpty()
            ? SecretFile.ofLinks(means.data, means.random)
            : said.getBytes(StandardCharsets.UTF_8);
    return new TrackRoutes(
        config.track(),
        secret,
        documents.deliveries(),
        means.latest,
        means.page,
        means.clock,
        means.offloads);
  }

  List<Route> routes() {
    return routes;
  }

  @Override
  public String name() {
    return "deliveries";
  }

  /** Partners are told by other limits from now on. */
  @Override
  public void adjust(ServerConfig before, ServerConfig next) {
    limits = next.relay();
  }

  /** Finishes what is under way. */
  @Override
  public void drain(Duration patience) throws InterruptedException {
    long until = System.nanoTime() + patience.toNanos();
    deliveries.drain(patience);
    relay.drain(Duration.ofNanos(Math.max(1, until - System.nanoTime())));
  }
}

package gilmok.app;

import gilmok.collect.CollectMeter;
import gilmok.collect.CollectRoutes;
import gilmok.collect.DialectRoutes;
import gilmok.collect.Dialects;
import gilmok.collect.Phones;
import gilmok.collect.devices.DeviceRoutes;
import gilmok.collect.devices.Devices;
import gilmok.http.Offloads;
import gilmok.http.Route;
import gilmok.observe.Meters;
import gilmok.positions.Positions;
import gilmok.warmup.Drainable;
import gilmok.warmup.Warmable;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Takes what phones send, in our own form and in those of their apps, and knows the phones. */
final class CollectModule {
  private final CollectRoutes collect;
  private final Devices devices;
  private final List<Route> routes = new ArrayList<>();

  /**
   * What it needs of the server.
   *
   * @param positions knows where riders are; null where that part is left off
   */
  record Means(
      Path data,
      NodeLog node,
      CollectMeter meter,
      @Nullable Positions positions,
      Meters meters,
      Offloads offloads,
      InstantSource clock,
      SecureRandom random) {}

  /**
   * Opens what is known of the phones.
   *
   * @throws IOException when that cannot be read or is damaged; the message names the file
   */
  CollectModule(ServerConfig config, Means means) throws IOException, InterruptedException {
    NodeLog node = means.node;
    collect =
        new CollectRoutes(
            config.collect(),
            node.acceptor(),
            node.log().node().toString(),
            node.secret(),
            means.meter);
    devices =
        SavedDevices.open(config.devices(), means.data, node.disk(), means.clock, means.meters);
    Positions positions = means.positions;
    Phones phones =
        new FleetPhones(devices, rider -> positions == null ? null : positions.event(rider));
    routes.addAll(collect.routes());
    routes.addAll(
        new DialectRoutes(
                config.collect(), node.acceptor(), node.secret(), means.meter, phones, means.clock)
            .routes());
    routes.addAll(
        new DeviceRoutes(
                devices,
                config.devices(),
                means.random,
                means.clock,
                new Dialects()::refusal,
                means.offloads)
            .routes());
  }

  /** What is answered. */
  List<Route> routes() {
    return routes;
  }

  /** What of it is warmed up. */
  Warmable warmable() {
    return collect;
  }

  /** Saves what it knows of the phones. */
  Drainable drainable() {
    return new SavedDevices(devices);
  }
}

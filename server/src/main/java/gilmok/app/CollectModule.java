package gilmok.app;

import gilmok.collect.ActionRule;
import gilmok.collect.CollectConfig;
import gilmok.collect.CollectRoutes;
import gilmok.collect.DialectRoutes;
import gilmok.collect.Dialects;
import gilmok.collect.Phones;
import gilmok.collect.devices.DeviceRoutes;
import gilmok.collect.devices.Devices;
import gilmok.collect.devices.DevicesConfig;
import gilmok.config.Part;
import gilmok.deliveries.DeliveriesConfig;
import gilmok.deliveries.Step;
import gilmok.positions.Positions;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Starts the collection of records from phones, in our own format and in the formats of their apps.
 */
final class CollectModule {
  private CollectModule() {}

  /**
   * Opens the saved state of the phones and adds the routes, unless this part is switched off.
   *
   * @param positions the positions of riders; null if that part is switched off
   * @throws IOException when the saved state cannot be read or is damaged; the message names the
   *     file
   */
  static void start(ServerContext context, @Nullable Positions positions)
      throws IOException, InterruptedException {
    ServerConfig config = context.config;
    if (!config.has(Part.COLLECT)) {
      return;
    }
    CollectConfig limits = config.of(CollectConfig.class);
    DevicesConfig ofDevices = config.of(DevicesConfig.class);
    NodeLog node = context.node;
    CollectRoutes collect =
        new CollectRoutes(
            limits,
            node.acceptor(),
            new ActionRule(
                type -> Step.ofLabel(type) != null,
                config.of(DeliveriesConfig.class).unsafeActionsByAnyKey()),
            node.log().node().toString(),
            node.secret(),
            context.collected);
    Devices devices = new Devices(ofDevices, context.folder.path(), node.disk(), context.clock);
    devices.watch(context.meters);
    Phones phones = new Phones(devices, rider -> positions == null ? null : positions.event(rider));
    context.answers(collect.routes());
    context.answers(
        new DialectRoutes(
                limits, node.acceptor(), node.secret(), context.collected, phones, context.clock)
            .routes());
    context.answers(
        new DeviceRoutes(
                devices,
                context.audit,
                ofDevices,
                context.random,
                context.clock,
                new Dialects()::refusal,
                context.offloads)
            .routes());
    context.warmables.add(collect);
    context.endsInOrder(devices);
  }
}

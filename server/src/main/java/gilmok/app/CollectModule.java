package gilmok.app;

import gilmok.collect.ActionRule;
import gilmok.collect.CollectConfig;
import gilmok.collect.CollectRoutes;
import gilmok.collect.DialectRoutes;
import gilmok.collect.Dialects;
import gilmok.collect.Phones;
import gilmok.collect.UploadFollowup;
import gilmok.collect.devices.DeviceDataset;
import gilmok.collect.devices.DeviceRoutes;
import gilmok.collect.devices.DeviceStore;
import gilmok.collect.devices.Devices;
import gilmok.collect.devices.DevicesConfig;
import gilmok.collect.devices.FileDevices;
import gilmok.collect.devices.SharedDevices;
import gilmok.config.Part;
import gilmok.deliveries.DeliveriesConfig;
import gilmok.deliveries.Step;
import gilmok.erasure.Erasable;
import gilmok.erasure.HandedOut;
import gilmok.http.HttpConfig;
import gilmok.http.Route;
import gilmok.http.Withheld;
import gilmok.positions.Positions;
import gilmok.privacy.Purpose;
import gilmok.tee.Tee;
import gilmok.tee.TeeConfig;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Starts the collection of records from phones, in our own format and in the formats of their apps.
 */
final class CollectModule {
  private CollectModule() {}

  /**
   * What is known of phones.
   *
   * @param uploads takes what answers uploads with more than that they are stored
   * @param devices null if this part is switched off
   */
  record Phoned(Consumer<UploadFollowup> uploads, @Nullable Devices devices) {}

  /**
   * Opens the saved state of the phones and adds the routes, unless this part is switched off.
   *
   * @param positions the positions of riders; null if that part is switched off
   * @throws IOException when the saved state cannot be read or is damaged; the message names the
   *     file
   */
  static Phoned start(ServerContext context, @Nullable Positions positions)
      throws IOException, InterruptedException {
    ServerConfig config = context.config;
    if (!config.has(Part.COLLECT)) {
      return new Phoned(_ -> {}, null);
    }
    CollectConfig limits = config.of(CollectConfig.class);
    DevicesConfig ofDevices = config.of(DevicesConfig.class);
    NodeLog node = context.node;
    ActionRule actionRule =
        new ActionRule(
            type -> Step.ofLabel(type) != null,
            config.of(DeliveriesConfig.class).unsafeActionsByAnyKey());
    CollectRoutes collect =
        new CollectRoutes(
            limits,
            node.acceptor(),
            actionRule,
            context.acks.rule(),
            node.log().node().toString(),
            node.secret(),
            context.collected,
            context.privacy.consents());
    Devices devices = devices(context, ofDevices);
    UploadFollowup.Later followup = new UploadFollowup.Later();
    Phones phones =
        new Phones(
            devices,
            rider ->
                positions == null || context.privacy.consents().hides(Purpose.DISPATCH, rider)
                    ? null
                    : positions.event(rider),
            followup);
    List<Route> ofPhones = new ArrayList<>(collect.routes());
    ofPhones.addAll(
        new DialectRoutes(
                limits,
                node.acceptor(),
                actionRule,
                context.acks.rule(),
                node.secret(),
                context.collected,
                phones,
                context.privacy.consents(),
                context.clock)
            .routes());
    context.answers(teed(context, ofPhones));
    context.answers(
        new DeviceRoutes(
                devices,
                context.audit,
                ofDevices,
                context.random,
                new Dialects()::refusal,
                context.offloads)
            .routes());
    DeviceDataset known = new DeviceDataset(devices);
    context.datasets.add(known);
    context.handedOut.add(new HandedOut("devices", known::write));
    context.phones = devices::idsOf;
    context.erasables.add(Erasable.erasing("devices", rider -> devices.forget(rider.id())));
    context.privacy.groups(devices::ridersOrNone);
    context.warmables.add(collect);
    return new Phoned(followup::use, devices);
  }

  /** The phones, in the database that nodes share or in a file of this node. */
  private static Devices devices(ServerContext context, DevicesConfig config)
      throws IOException, InterruptedException {
    DeviceStore store = context.documents.devices();
    Devices devices;
    if (store == null) {
      devices = new FileDevices(config, context.folder.path(), context.node.disk(), context.clock);
    } else {
      SharedDevices shared =
          new SharedDevices(
              config,
              new SharedDevices.Means(
                  store,
                  context.folder.path(),
                  context.node.disk(),
                  context.clock,
                  context.offloads,
                  context.loops,
                  context.readiness));
      shared.start();
      devices = shared;
    }
    context.ends(devices);
    devices.watch(context.meters);
    return devices;
  }

  /** The routes that phones send to; where another server gets the same, it stands beside them. */
  private static List<Route> teed(ServerContext context, List<Route> ofPhones) {
    TeeConfig config = context.config.of(TeeConfig.class);
    if (config.url() == null) {
      context.answers(Tee.without());
      return ofPhones;
    }
    Withheld withheld = Withheld.of(context.config.auth(), context.config.of(HttpConfig.class));
    Tee tee = new Tee(config, withheld, context.meters, context.clock);
    context.ends(tee);
    context.answers(tee.routes());
    return tee.around(ofPhones, context.config.of(CollectConfig.class).bodyBytesMax());
  }
}

package gilmok.app;

import gilmok.audit.Audit;
import gilmok.audit.AuditConfig;
import gilmok.audit.AuditContext;
import gilmok.audit.AuditRoutes;
import gilmok.auth.Keys;
import gilmok.auth.Sha256;
import gilmok.background.BackgroundLoops;
import gilmok.collect.CollectConfig;
import gilmok.collect.CollectMeters;
import gilmok.deliveries.UnreadableDeliveries;
import gilmok.diagnose.DiagnoseRoutes;
import gilmok.diagnose.DiagnosisPart;
import gilmok.diagnose.ServerParts;
import gilmok.documents.MongoConfig;
import gilmok.documents.SqliteConfig;
import gilmok.erasure.Erasable;
import gilmok.erasure.HandedOut;
import gilmok.http.AccessLogConfig;
import gilmok.http.HealthRoutes;
import gilmok.http.HttpConfig;
import gilmok.http.Listeners;
import gilmok.http.Offload;
import gilmok.http.Offloads;
import gilmok.http.OperateConfig;
import gilmok.http.Route;
import gilmok.inventory.DataFolderInventory;
import gilmok.keys.DocumentsWatch;
import gilmok.keys.KeyDataset;
import gilmok.log.LogSettings;
import gilmok.log.SegmentOwner;
import gilmok.log.UnreadCursors;
import gilmok.observe.Meters;
import gilmok.observe.Readiness;
import gilmok.observe.machine.DiskSpace;
import gilmok.observe.machine.FlightRecorderConfig;
import gilmok.observe.machine.MachineMeters;
import gilmok.observe.machine.OutOfMemoryDump;
import gilmok.observe.machine.RecorderWatch;
import gilmok.ops.OpsContext;
import gilmok.ops.OpsRoutes;
import gilmok.pages.PageRoutes;
import gilmok.pages.PagesConfig;
import gilmok.privacy.Privacy;
import gilmok.privacy.PrivacyConfig;
import gilmok.redis.Redis;
import gilmok.runtime.CloseStack;
import gilmok.runtime.Connections;
import gilmok.runtime.GracefulShutdown;
import gilmok.runtime.LoopWatch;
import gilmok.runtime.SteadyClock;
import gilmok.runtime.StopConfig;
import gilmok.runtime.Version;
import gilmok.sinks.setup.SinkFlush;
import gilmok.sinks.setup.SinksModule;
import gilmok.storage.DataFolder;
import gilmok.storage.NodeFile;
import gilmok.trace.Tracer;
import gilmok.trace.TracingConfig;
import gilmok.trace.otlp.OtlpExport;
import gilmok.transfer.Dataset;
import gilmok.transfer.LogDataset;
import gilmok.transfer.TransferRoutes;
import gilmok.warmup.Drainable;
import gilmok.warmup.WarmUpConfig;
import gilmok.warmup.Warmable;
import gilmok.warmup.shadow.WarmUpMeters;
import gilmok.warmup.shadow.WarmUpRoutes;
import gilmok.warmup.shadow.WarmUpRunner;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The parts that a server's features are built from, opened in order. Features add their routes,
 * their warm-up and their part of the shutdown to it. Not thread-safe: used by the thread that
 * starts the server, then by the one that stops it.
 */
final class ServerContext {
  final ServerConfig config;
  final DataFolder folder;
  final CloseStack closeStack;
  final SecureRandom random = new SecureRandom();
  final InstantSource clock;
  final Meters meters;
  final Offloads offloads;
  final Readiness readiness;
  final BackgroundLoops loops;
  final Tracer tracer;
  private final OtlpExport spans;
  final UnreadableDeliveries unreadable;
  final GracefulShutdown shutdown;
  final Listeners listeners;
  final Adjustables adjustables;
  final Documents documents;
  final Keys keys;
  final Connections connections;
  final NodeLog node;
  final Audit audit;
  final Privacy privacy;
  final @Nullable Redis redis;
  final WarmUpRunner warmUp;
  final PageRoutes pages;
  final CollectMeters collected;
  final NodeLog.SinkAcks acks;
  final List<Warmable> warmables = new ArrayList<>();
  final List<Dataset> datasets = new ArrayList<>();
  final List<Erasable> erasables = new ArrayList<>();
  final List<HandedOut> handedOut = new ArrayList<>();

  /** Held by whoever writes in the archive of old documents. */
  final ReentrantLock archiving = new ReentrantLock();

  Function<String, List<String>> phones = _ -> List.of();
  private final DocumentsWatch watch;
  private final DiskSpace disks;
  private final List<DiagnosisPart> told = new ArrayList<>();

  /** The settings in force, secrets masked. */
  volatile Map<String, String> settings;

  private final RecorderWatch recorder;
  private final List<Route> health;
  private final Offload scrapes;
  private final List<Route> routes = new ArrayList<>();
  private final List<Drainable> drainables = new ArrayList<>();

  /** Builds and starts something from a context. */
  @FunctionalInterface
  interface Builder<T> {
    /** Starts it; on return it listens, but answers no requests yet. */
    T build(ServerContext context) throws IOException, InterruptedException;
  }

  /**
   * Opens the data folder and the parts that features are built from, and builds a server from
   * them. If that fails, everything opened is closed.
   *
   * @param lender the context whose event loops are shared; null for event loops of its own
   * @param onLogFailure is called when the log has failed for good
   */
  static <T> T build(
      ServerConfig config,
      Stores stores,
      @Nullable ServerContext lender,
      Consumer<Throwable> onLogFailure,
      Builder<T> builder)
      throws IOException, InterruptedException {
    Sha256.load();
    SecureRandom random = new SecureRandom();
    DataFolder folder =
        DataFolder.open(config.data(), SegmentOwner::ofNewest, config.onClone(), random);
    CloseStack closeStack = new CloseStack();
    closeStack.add(folder);
    try {
      SinkFlush.unmark(folder.path());
      DataFolderInventory dataFolderInventory =
          DataFolderInventory.checked(folder.path(), config.essentialFiles(), config.beginAnew());
      T built =
          builder.build(
              new ServerContext(config, folder, closeStack, stores, lender, onLogFailure));
      dataFolderInventory.note();
      return built;
    } catch (IOException | InterruptedException | RuntimeException | Error failed) {
      boolean isHurried = Thread.interrupted(); // an interrupt would break the closing
      closeStack.close(failed);
      if (isHurried) {
        Thread.currentThread().interrupt();
      }
      throw failed;
    }
  }

  private ServerContext(
      ServerConfig config,
      DataFolder folder,
      CloseStack closeStack,
      Stores stores,
      @Nullable ServerContext lender,
      Consumer<Throwable> onLogFailure)
      throws IOException, InterruptedException {
    this.config = config;
    this.folder = folder;
    this.closeStack = closeStack;
    clock = new SteadyClock(stores.time(), System::nanoTime);
    meters = closeStack.add(new Meters());
    offloads = closeStack.add(new Offloads(meters));
    readiness = new Readiness(meters, "server");
    loops = new BackgroundLoops(new LoopWatch(meters, readiness));
    if (lender == null) { // nobody asks for a shadow's metrics
      MachineMeters.show(meters, loops::hasThread);
      Version.show(meters);
    }
    recorder =
        closeStack.add(new RecorderWatch(folder.path(), folder.node().toString(), meters, loops));
    unreadable = new UnreadableDeliveries(meters, clock);
    warmUp = new WarmUpRunner(config.of(WarmUpConfig.class), readiness);
    WarmUpMeters.watch(meters, warmUp::report);
    acks = new NodeLog.SinkAcks(config.of(CollectConfig.class).ack());
    collected = new CollectMeters(meters, acks.plan() != null);
    shutdown = new GracefulShutdown(config.of(StopConfig.class), readiness, meters);
    tracer = new Tracer(meters);
    health = HealthRoutes.health(readiness, Version.ofThis());
    scrapes = HealthRoutes.scrapes(offloads);
    listeners =
        Listeners.open(
            config.of(HttpConfig.class),
            config.of(OperateConfig.class),
            health,
            meters,
            tracer,
            scrapes,
            lender == null ? null : lender.listeners,
            closeStack);
    adjustables = new Adjustables(Adjustables.door(listeners, config), meters);
    offloads.also(listeners::lookAtLoops);
    listeners.log(config.of(AccessLogConfig.class));
    adjustables.add((_, next) -> listeners.log(next.of(AccessLogConfig.class)));
    settings = config.shown();
    adjustables.add((_, next) -> settings = next.shown());
    Path data = folder.path();
    documents =
        closeStack.add(
            stores.documents(
                Documents.open(
                    config.of(SqliteConfig.class),
                    config.of(MongoConfig.class),
                    data,
                    meters,
                    clock,
                    unreadable)));
    keys = Keys.open(documents.keys(), data, config.auth(), clock, random);
    watch = closeStack.add(new DocumentsWatch(documents, keys, readiness, meters, loops));
    adjustables.add((_, next) -> watch.usualRate(next.auth().rate()));
    adjustables.add((_, next) -> recorder.watch(next.of(FlightRecorderConfig.class)));
    disks = closeStack.add(new DiskSpace(config.folders(data), meters, loops));
    if (lender == null) {
      closeStack.add(new OutOfMemoryDump(data, loops));
    }
    connections = closeStack.add(new Connections(readiness, documents::awaitConnections));
    node =
        NodeLog.open(
            config.of(LogSettings.class),
            stores,
            folder,
            meters,
            clock,
            random,
            readiness,
            loops,
            onLogFailure);
    closeStack.add(node.log());
    node.expire(config.of(LogSettings.class).streams(), clock, loops, closeStack);
    spans =
        closeStack.add(
            new OtlpExport(tracer, folder.node().toString(), Version.ofThis(), meters, loops));
    if (lender == null) {
      spans.take(config.of(TracingConfig.class));
    } else { // what is compiled is what will run; nobody sends a shadow's spans
      tracer.take(config.of(TracingConfig.class));
    }
    adjustables.add((_, next) -> spans.take(next.of(TracingConfig.class)));
    audit =
        new Audit(
            new AuditContext(
                node.log(),
                () -> folder.raiseFormat(NodeFile.AUDIT_FORMAT),
                node.recordKeys(),
                documents.audit(),
                config.of(AuditConfig.class).retention(),
                meters,
                loops,
                clock,
                random));
    audit.start();
    privacy =
        new Privacy(
            config.of(PrivacyConfig.class),
            documents.privacy(),
            new Privacy.Means(
                data,
                node.disk(),
                node.log(),
                config.takers(node.log()),
                random,
                clock,
                meters,
                loops,
                readiness),
            config.of(LogSettings.class).streams().shortest());
    redis = SinksModule.redis(config.sinks().redis(), meters, closeStack);
    pages = closeStack.add(new PageRoutes(config.of(PagesConfig.class), offloads));
    adjustables.add((_, next) -> pages.take(next.of(PagesConfig.class)));
  }

  /** Adds a file to what {@code POST /v1/diagnose} answers. */
  void tells(DiagnosisPart part) {
    told.add(part);
  }

  /** Adds routes. */
  void answers(List<Route> more) {
    routes.addAll(more);
  }

  /** Adds a part to the graceful shutdown; if the start fails, it is drained at once. */
  void ends(Drainable feature) {
    closeStack.add(() -> feature.drain(GracefulShutdown.LEAST));
    endsInOrder(feature);
  }

  /** Adds a part to the graceful shutdown; if the start fails, it has nothing to release. */
  void endsInOrder(Drainable feature) {
    drainables.add(feature);
  }

  /** Where records are kept; null if that is a database of several nodes. */
  private TransferRoutes.@Nullable Place place() {
    return documents.areShared()
        ? null
        : new TransferRoutes.Place(node.log().node().toString(), node.log().durable());
  }

  /** Starts listening with all routes; requests are answered once the server is warm. */
  void serve() throws IOException {
    UnreadCursors.show(node.log(), meters); // all parts have opened their cursors
    ends(privacy);
    ends(audit);
    routes.addAll(privacy.routes(audit, offloads));
    routes.addAll(new AuditRoutes(audit, documents.audit(), clock, offloads).routes());
    datasets.addAll(LogDataset.all(node.log()));
    datasets.add(new KeyDataset(keys));
    routes.addAll(new TransferRoutes(datasets, audit, this::place, offloads).routes());
    routes.addAll(pages.routes());
    routes.addAll(health);
    routes.add(HealthRoutes.metrics(meters::scrape, scrapes));
    routes.add(WarmUpRoutes.of(warmUp::report));
    OpsRoutes ops = ops();
    ends(ops);
    routes.addAll(ops.routes());
    told.addAll(ServerParts.of(Version.ofThis(), () -> settings, readiness, meters, node.log()));
    routes.addAll(new DiagnoseRoutes(told, folder.path(), offloads).routes());
    connections.begin();
    boolean isCold = config.of(WarmUpConfig.class).isOn();
    List<Route> all = privacy.around(routes, offloads);
    listeners.serve(config.of(HttpConfig.class), all, keys, config.auth().keyNames(), isCold);
    ops.start();
    readiness.ready("server");
  }

  /** The server serves from now on. */
  void serving() {
    shutdown.serving();
    recorder.watch(config.of(FlightRecorderConfig.class));
  }

  private OpsRoutes ops() {
    return new OpsRoutes(
        new OpsContext(
            meters,
            readiness,
            loops,
            offloads,
            listeners.slowRequests(),
            clock,
            folder.node().toString(),
            Version.ofThis()));
  }

  /**
   * Shuts down gracefully: reports not ready, finishes requests, saves, closes log and documents.
   */
  void stop() throws IOException, InterruptedException {
    CloseStack left = new CloseStack();
    List.of(meters, offloads, folder, documents, pages, watch, disks, recorder, spans, node.log())
        .forEach(left::add);
    if (redis != null) {
      left.add(redis);
    }
    left.add(loops);
    try {
      connections.close();
      listeners.leave();
      shutdown.run(listeners.around(drainables));
    } catch (InterruptedException | RuntimeException | Error failed) {
      left.close(failed);
      throw failed;
    }
    left.closeAll();
  }
}

package gilmok.app;

import gilmok.auth.Keys;
import gilmok.background.BackgroundLoops;
import gilmok.collect.CollectMeter;
import gilmok.collect.SecondTry;
import gilmok.deliveries.UnreadableDeliveries;
import gilmok.docs.DocsRoutes;
import gilmok.http.HealthRoutes;
import gilmok.http.Offload;
import gilmok.http.Offloads;
import gilmok.http.Route;
import gilmok.keys.KeyRoutes;
import gilmok.ledger.LedgerRoutes;
import gilmok.log.Log;
import gilmok.log.SegmentOwner;
import gilmok.missions.Missions;
import gilmok.observe.Meters;
import gilmok.observe.Readiness;
import gilmok.pages.PageRoutes;
import gilmok.pages.SessionRoutes;
import gilmok.phones.GuideRoutes;
import gilmok.positions.Positions;
import gilmok.positions.PositionsRoutes;
import gilmok.redis.Redis;
import gilmok.runsheet.RunSheets;
import gilmok.statements.Statements;
import gilmok.storage.DataFolder;
import gilmok.storage.NodeId;
import gilmok.warmup.Drainable;
import gilmok.warmup.WarmUpScript;
import gilmok.warmup.Warmable;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The map of the system: builds every part, connects them by hand, and stops them in order. */
final class Server {
  private final ServerConfig config;
  private final DataFolder folder;
  private final CloseStack closeStack;
  private final Documents documents;
  private final DocumentsWatch watch;
  private final Connections connections;
  private final Keys keys;
  private final Log log;
  private final @Nullable Redis redis;
  private final Meters meters;
  private final Offloads offloads;
  private final Readiness readiness;
  private final BackgroundLoops loops;
  private final UnreadableDeliveries unreadable;
  private final Listeners listeners;
  private final List<Drainable> drainables = new ArrayList<>();
  private final List<Warmable> warmables = new ArrayList<>();
  private final WarmUpRunner warmUp;
  private @Nullable RunSheets runSheets;
  private final GracefulShutdown shutdown;
  private final Adjustables adjustables;

  /** Starts everything; on return it answers. The consumer hears of a log that failed for good. */
  static Server start(ServerConfig config, Consumer<Throwable> onLogFailure)
      throws IOException, InterruptedException {
    return start(config, Stores.REAL, onLogFailure);
  }

  /** Starts everything, with something between it and what it keeps things in. */
  static Server start(ServerConfig config, Stores stores, Consumer<Throwable> onLogFailure)
      throws IOException, InterruptedException {
    return start(config, stores, null, onLogFailure);
  }

  /** Starts one of the same parts, which shares the event loops and what runs apart. */
  Server twin(ServerConfig settings) throws IOException, InterruptedException {
    return start(settings, Stores.REAL, this, failed -> {});
  }

  private static Server start(
      ServerConfig config, Stores stores, @Nullable Server lender, Consumer<Throwable> onLogFailure)
      throws IOException, InterruptedException {
    JdkClasses.load();
    SecureRandom random = new SecureRandom();
    DataFolder folder =
        DataFolder.open(config.data(), SegmentOwner::ofNewest, config.log().onClone(), random);
    CloseStack closeStack = new CloseStack();
    closeStack.add(folder);
    try {
      SinkFlush.unmark(folder.path());
      Inventory inventory =
          Inventory.checked(folder.path(), EssentialFile.usedBy(config), config.beginAnew());
      Server server = new Server(config, folder, closeStack, random, stores, lender, onLogFailure);
      inventory.note();
      return server;
    } catch (IOException | InterruptedException | RuntimeException | Error failed) {
      boolean isHurried = Thread.interrupted(); // what is closed now writes, and waits for threads
      closeStack.close(failed);
      if (isHurried) {
        Thread.currentThread().interrupt();
      }
      throw failed;
    }
  }

  private Server(
      ServerConfig config,
      DataFolder folder,
      CloseStack closeStack,
      SecureRandom random,
      Stores stores,
      @Nullable Server lender,
      Consumer<Throwable> onLogFailure)
      throws IOException, InterruptedException {
    this.config = config;
    this.folder = folder;
    this.closeStack = closeStack;
    InstantSource clock = new SteadyClock(InstantSource.system(), System::nanoTime);
    meters = closeStack.add(new Meters());
    offloads = closeStack.add(new Offloads(meters));
    readiness = new Readiness(meters, "server");
    loops = new BackgroundLoops(new LoopWatch(meters, readiness));
    unreadable = new UnreadableDeliveries(meters, clock);
    warmUp = new WarmUpRunner(config, readiness);
    WarmUpMeters.watch(meters, warmUp::report);
    shutdown = new GracefulShutdown(config.stop(), readiness, meters);
    List<Route> health = HealthRoutes.health(readiness, Main.version());
    Offload scrapes = HealthRoutes.scrapes(offloads);
    listeners =
        Listeners.open(
            config, health, meters, scrapes, lender == null ? null : lender.listeners, closeStack);
    adjustables = new Adjustables(listeners, meters);
    Path data = folder.path();
    documents =
        stores.documents(
            Documents.open(config.documents(), config.mongo(), data, meters, clock, unreadable));
    closeStack.add(documents);
    keys = Keys.open(documents.keys(), data, config.auth(), clock, random);
    watch = adjustables.add(new DocumentsWatch(documents, keys, readiness, meters, loops));
    closeStack.add(watch);
    connections = closeStack.add(new Connections(readiness, documents));
    NodeLog node =
        NodeLog.open(
            config.log(), stores, folder, meters, clock, random, readiness, loops, onLogFailure);
    log = closeStack.add(node.log());
    redis = SinksModule.redis(config.sinks().redis(), closeStack);
    List<Route> routes = new ArrayList<>(new KeyRoutes(keys, offloads).routes());
    routes.addAll(new GuideRoutes(offloads).routes());
    routes.addAll(new DocsRoutes().routes());
    PageRoutes pages = new PageRoutes(config.pages(), offloads);
    routes.addAll(pages.routes());
    routes.addAll(new SessionRoutes(keys, clock, config.http().tls()).routes());
    Positions positions = config.has(Part.POSITIONS) ? live(data, clock) : null;
    if (positions != null) {
      routes.addAll(routes(positions));
    }
    CollectMeters collected = new CollectMeters(meters);
    if (config.has(Part.COLLECT)) {
      routes.addAll(collect(node, collected, positions, clock, random));
    }
    if (config.has(Part.DELIVERIES)) {
      routes.addAll(deliveries(node, positions, pages, clock, random));
    }
    if (config.has(Part.RUN_SHEETS)) {
      routes.addAll(runSheets(positions, clock, lender == null ? null : lender.runSheets));
    }
    if (config.has(Part.STATEMENTS)) {
      routes.addAll(statements());
    }
    if (config.has(Part.MISSIONS)) {
      routes.addAll(missions(clock));
    }
    if (config.has(Part.SINKS)) {
      routes.addAll(ship(node, collected, clock, random));
    }
    UnreadCursors.leave(config, log, meters);
    routes.addAll(health);
    routes.add(HealthRoutes.metrics(meters::scrape, scrapes));
    routes.add(new WarmUpRoutes(warmUp::report).route());
    connections.begin();
    listeners.serve(routes, keys);
    readiness.ready("server");
  }

  /**
   * Becomes fast, and opens the doors. Blocks until then.
   *
   * @throws InterruptedException when it was told to {@link #hurry}
   */
  void warmUp() throws InterruptedException {
    connections.awaitTried();
    warmUp.run(this);
    shutdown.serving();
  }

  /** Makes its documents ready for what those of its twin were asked. */
  void prepareAs(Server twin) throws IOException, InterruptedException {
    documents.prepareAs(twin.documents);
  }

  /** Makes ready what can only be so in this very server; what takes time and no requests. */
  void prepare() {
    if (runSheets != null) {
      runSheets.prepare();
    }
  }

  /** From now on everybody is answered. */
  void open() {
    listeners.warm();
  }

  /** It is to stop: says so, and ends the warm-up. From any thread. */
  void hurry() {
    shutdown.hurry();
    connections.close();
    warmUp.hurry();
  }

  /** What is asked of the parts while they warm up. */
  List<WarmUpScript> scripts() {
    return Scripts.of(warmables, config.parts());
  }

  Keys keys() {
    return keys;
  }

  /** The server's id, which its records' ids begin with. */
  NodeId node() {
    return folder.node();
  }

  int port() {
    return listeners.port();
  }

  Adjustables adjustables() {
    return adjustables;
  }

  @Nullable Path adminKeyFile() {
    return keys.adminFile();
  }

  /** Everything the server answers. */
  List<Route> routes() {
    return listeners.routes();
  }

  /** Turns not ready, finishes what has begun, saves, and closes the log and the documents. */
  void stop() throws IOException, InterruptedException {
    CloseStack left = new CloseStack();
    left.add(meters);
    left.add(offloads);
    left.add(folder);
    left.add(documents);
    left.add(watch);
    left.add(log);
    if (redis != null) {
      left.add(redis);
    }
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

  /** What phones send, and what is known of them. */
  private List<Route> collect(
      NodeLog node,
      CollectMeters collected,
      @Nullable Positions positions,
      InstantSource clock,
      SecureRandom random)
      throws IOException, InterruptedException {
    CollectModule collecting =
        new CollectModule(
            config,
            new CollectModule.Means(
                folder.path(), node, collected, positions, meters, offloads, clock, random));
    warmables.add(collecting.warmable());
    drainables.add(collecting.drainable());
    return collecting.routes();
  }

  private Positions live(Path data, InstantSource clock) throws IOException, InterruptedException {
    Positions positions =
        new Positions(
            config.positions(),
            log,
            data,
            clock,
            new PositionsMeters(meters),
            loops,
            keys::isStillGood);
    PositionsMeters.watch(meters, positions);
    positions.start();
    closeStack.add(() -> positions.drain(GracefulShutdown.LEAST));
    drainables.add(positions);
    return positions;
  }

  private List<Route> routes(Positions positions) {
    PositionsRoutes routes = new PositionsRoutes(positions);
    warmables.add(routes);
    return routes.routes();
  }

  /** Deliveries, told to partners and shown to customers. */
  private List<Route> deliveries(
      NodeLog node,
      @Nullable Positions positions,
      PageRoutes pages,
      InstantSource clock,
      SecureRandom random)
      throws IOException, InterruptedException {
    DeliveriesModule deliveries =
        DeliveriesModule.start(
            config,
            new DeliveriesModule.Means(
                documents,
                folder.path(),
                node,
                meters,
                offloads,
                clock,
                loops,
                unreadable,
                random,
                new LatestFix(rider -> positions == null ? null : positions.event(rider)),
                pages::track));
    closeStack.add(() -> deliveries.drain(GracefulShutdown.LEAST));
    drainables.add(adjustables.add(deliveries));
    warmables.add(deliveries.warmable());
    return deliveries.routes();
  }

  /** Run sheets: anybody's, and, where this server knows enough, those of its riders. */
  private List<Route> runSheets(
      @Nullable Positions positions, InstantSource clock, @Nullable RunSheets lender) {
    RunSheets planning =
        RunSheetModule.start(
            config,
            new RunSheetModule.Means(documents.deliveries(), positions, meters, offloads, clock),
            lender);
    closeStack.add(() -> planning.drain(GracefulShutdown.LEAST));
    drainables.add(planning);
    warmables.add(planning);
    runSheets = planning;
    return planning.routes();
  }

  /** What riders earned. */
  private List<Route> statements() throws IOException, InterruptedException {
    Statements statements =
        new Statements(config.statements(), documents.statements(), log, meters, offloads, loops);
    closeStack.add(() -> statements.drain(GracefulShutdown.LEAST));
    statements.start();
    drainables.add(statements);
    warmables.add(statements);
    return statements.routes();
  }

  /** What riders can fulfil. */
  private List<Route> missions(InstantSource clock) throws IOException, InterruptedException {
    Missions missions =
        Missions.start(
            config.missions(),
            new Missions.Means(
                documents.missions(),
                documents.areShared(),
                redis,
                config.http().compressionLevels().level("GET", Missions.ROUTE, Missions.LEVEL),
                clock,
                loops,
                meters,
                offloads));
    closeStack.add(() -> missions.drain(GracefulShutdown.LEAST));
    drainables.add(missions);
    warmables.add(missions);
    connections.redis(redis, missions::ping);
    return missions.routes();
  }

  /** What goes to the sinks, and the account of it. */
  private List<Route> ship(
      NodeLog node, CollectMeter collected, InstantSource clock, SecureRandom random)
      throws IOException, InterruptedException {
    SinksModule sinks =
        new SinksModule(
            config.sinks(),
            folder.path(),
            new SinksModule.Means(node, meters, clock, random, redis, closeStack));
    drainables.add(new SinkFlush(sinks, config.stop(), shutdown::isEarly, folder.path()));
    adjustables.add(sinks);
    sinks.ship().shippers().forEach(connections::sink);
    SetAside setAside = new SetAside(new SecondTry(node.acceptor(), node.secret(), collected));
    return new LedgerRoutes(log, sinks.ship(), sinks.receipts(), setAside, clock, offloads)
        .routes();
  }
}

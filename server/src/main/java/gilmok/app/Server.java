package gilmok.app;

import gilmok.config.Part;
import gilmok.docs.DocsRoutes;
import gilmok.documents.MongoConfig;
import gilmok.http.HttpConfig;
import gilmok.http.Route;
import gilmok.keys.KeyRoutes;
import gilmok.login.LoginRoutes;
import gilmok.login.OidcConfig;
import gilmok.performance.Performance;
import gilmok.phones.GuideRoutes;
import gilmok.positions.Positions;
import gilmok.redis.RedisConfig;
import gilmok.runsheet.RunSheets;
import gilmok.warmup.WarmUpReport;
import gilmok.warmup.WarmUpScript;
import gilmok.warmup.shadow.WarmUpScripts;
import gilmok.warmup.shadow.WarmableServer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The map of the system: starts the features one by one. Thread-safe where a method says so. */
public final class Server implements WarmableServer {
  private final ServerContext context;
  private final @Nullable RunSheets runSheets;

  /** Starts everything; on return it listens. The consumer hears if the log fails for good. */
  public static Server start(ServerConfig config, Consumer<Throwable> onLogFailure)
      throws IOException, InterruptedException {
    return start(config, Stores.REAL, onLogFailure);
  }

  /** Starts everything, with its stores wrapped. */
  static Server start(ServerConfig config, Stores stores, Consumer<Throwable> onLogFailure)
      throws IOException, InterruptedException {
    return ServerContext.build(
        config, stores, null, onLogFailure, context -> new Server(context, null));
  }

  private Server(ServerContext context, @Nullable RunSheets lender)
      throws IOException, InterruptedException {
    this.context = context;
    context.answers(new KeyRoutes(context.keys, context.audit, context.offloads).routes());
    context.answers(new GuideRoutes(context.offloads).routes());
    context.answers(new DocsRoutes().routes());
    OidcConfig login = context.config.of(OidcConfig.class);
    context.answers(LoginRoutes.all(login, context.keys, context.clock, context.offloads));
    Positions positions = PositionsModule.start(context);
    CollectModule.Phoned phoned = CollectModule.start(context, positions);
    Performance.Applied applied = DeliveriesModule.start(context, positions, context.pages::track);
    runSheets = RunSheetModule.start(context, positions, lender);
    RidersModule.start(context, runSheets, applied, phoned);
    var sinks = LedgerModule.start(context);
    RidersModule.history(context, phoned.devices(), sinks);
    DataModule.start(context, sinks);
    context.serve();
  }

  /** Warms up and opens the server. Blocks until then, or until {@link #hurry} ends the warm-up. */
  public void warmUp() throws InterruptedException {
    context.connections.awaitTried();
    context.warmUp.run(this);
    context.serving();
  }

  /** How far its warm-up is. From any thread. */
  public WarmUpReport warmUpReport() {
    return context.warmUp.report();
  }

  /** Says that the server is stopping, and ends its warm-up. May be called by any thread. */
  public void hurry() {
    context.listeners.leave(); // first: who sees that it is not ready is told to go elsewhere
    context.shutdown.hurry();
    context.connections.close();
    context.warmUp.hurry();
  }

  @Override
  public Server shadow(
      Path folder, String adminKey, MongoConfig mongo, RedisConfig redis, boolean overTls)
      throws IOException, InterruptedException {
    return shadow(context.config.ofShadow(folder, adminKey, mongo, redis, overTls));
  }

  /** Starts a shadow with the given settings. */
  public Server shadow(ServerConfig config) throws IOException, InterruptedException {
    return ServerContext.build(
        config, Stores.REAL, context, failed -> {}, shadow -> new Server(shadow, runSheets));
  }

  @Override
  public void prepareAs(WarmableServer shadow) throws IOException, InterruptedException {
    if (shadow instanceof Server server) {
      context.documents.prepareAs(server.context.documents);
    }
  }

  @Override
  public void prepare() {
    if (runSheets != null) {
      runSheets.prepare();
    }
  }

  @Override
  public void open() {
    context.listeners.warm();
  }

  @Override
  public List<WarmUpScript> scripts() {
    return WarmUpScripts.of(context.warmables, Part.words(context.config.parts()));
  }

  @Override
  public Facts facts() {
    return new Facts(
        context.listeners.port(),
        context.config.of(HttpConfig.class).certificate(),
        context.folder.node(),
        context.folder.path(),
        context.config.of(MongoConfig.class),
        context.config.sinks().redis(),
        context.keys);
  }

  public Adjustables adjustables() {
    return context.adjustables;
  }

  public int port() {
    return context.listeners.port();
  }

  /** All routes of the server. */
  public List<Route> routes() {
    return context.listeners.routes();
  }

  /** Shuts down: reports not ready, finishes requests, saves, closes the log and documents. */
  @Override
  public void stop() throws IOException, InterruptedException {
    context.stop();
  }
}

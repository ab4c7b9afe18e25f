package gilmok.http;

import gilmok.auth.KeyNames;
import gilmok.warmup.Drainable;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.SingleThreadEventExecutor;
import io.vertx.core.Context;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.http.Http2Settings;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.internal.VertxBootstrap;
import io.vertx.core.net.SocketAddress;
import io.vertx.core.net.impl.ConnectionBase;
import java.io.IOException;
import java.net.BindException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * An address at which routes are served: HTTP/1.1 with pipelining, and HTTP/2 over TLS alone, as a
 * proxy would not see what follows an upgrade. It has its own event loops, so that a second one,
 * for operators, answers while the first is under load; or it shares the loops of another ({@link
 * #start(HttpListener)}). Start once, then {@link #drain} or {@link #close}; thread-safe.
 */
public final class HttpListener implements Drainable, AutoCloseable {
  private static final System.Logger LOG = System.getLogger(HttpListener.class.getName());
  private static final int LINE_BYTES_MAX = 8 << 10;
  private static final int HEAD_BYTES_MAX = 16 << 10;
  private static final int STREAMS_MAX = 128;
  private static final int STREAM_WINDOW_BYTES = 256 << 10;
  private static final int CONNECTION_WINDOW_BYTES = 1 << 20;
  private static final int BACKLOG = 1024;
  private static final Duration LAST_WORDS = Duration.ofSeconds(5);

  /** Long, as a busy machine may not run the loops for seconds, and a start can wait. */
  private static final Duration FIRST_WORDS = Duration.ofMinutes(1);

  static {
    Framework.lighten();
  }

  private static final AtomicInteger IDS = new AtomicInteger();

  /**
   * The number of this listener. Its instances, one for each event loop, share a free port;
   * instances of another listener on the same loops get another port.
   */
  private final int id = 1 + IDS.getAndIncrement() % 10_000;

  private final String name;
  private final HttpConfig config;
  private final RequestMeter meter;
  private final ConnectionTimeouts timeouts;
  private final AdmissionLimit admissionLimit;
  private final Callers callers;
  private final CompressionPolicy compression;
  private volatile List<Route> routes;
  private volatile RequestAdmission admission;
  private final ConnectionLimiter connectionLimiter;
  private final List<EventLoopState> loops = new CopyOnWriteArrayList<>();
  private final List<HttpServer> servers = new CopyOnWriteArrayList<>();

  /**
   * The framework's loggers about clients' errors, which are turned off. Kept here, as the JDK
   * would otherwise forget them and their level.
   */
  private final List<Logger> clientLogs =
      List.of(
          Logger.getLogger("io.vertx.core.net.impl.ConnectionBase"),
          Logger.getLogger("io.netty.handler.codec.http2"));

  private @Nullable Vertx vertx;
  private boolean hasLentLoops;

  /**
   * The id of this listener's deployment on lent loops; undeploying it stops the listener there.
   */
  private @Nullable String share;

  private @Nullable TlsFiles tls;

  /** A listener that does not listen yet, and counts nothing. */
  public HttpListener(HttpConfig config, List<Route> routes, Authenticator authenticator) {
    this("http", config, routes, authenticator, RequestMeter.NONE);
  }

  /**
   * A listener that does not listen yet.
   *
   * @param name for operators, as in "http"
   */
  HttpListener(
      String name,
      HttpConfig config,
      List<Route> routes,
      Authenticator authenticator,
      RequestMeter meter) {
    this.name = name;
    this.config = config;
    this.routes = List.copyOf(routes);
    this.meter = meter;
    HttpConfig.Limits limits = config.limits();
    this.timeouts = ConnectionTimeouts.of(config);
    this.admissionLimit = new AdmissionLimit(limits.requestsMax(), limits.bodiesBytesMax());
    this.callers = Callers.of(config);
    this.compression = new CompressionPolicy(config.compressionLevels(), routes, meter);
    this.admission = reception(routes, authenticator, compression);
    this.connectionLimiter = new ConnectionLimiter(limits.connectionsMax(), timeouts);
    clientLogs.forEach(log -> log.setLevel(Level.OFF));
  }

  private RequestAdmission reception(
      List<Route> served, Authenticator authenticator, CompressionPolicy packed) {
    KeyNames names = authenticator.keyNames();
    Cors cors = new Cors(config.corsOrigins(), names.header());
    Router router = new Router(served);
    ExchangeContext context =
        new ExchangeContext(
            admissionLimit, timeouts, cors, packed, meter, callers, names, router.elsewhere());
    return new RequestAdmission(router, authenticator, context);
  }

  /**
   * Serves these routes from now on in place of those before; requests in flight end as they began.
   * Not to be called during a {@link #drain}.
   *
   * @param isCold see {@link #warm}
   */
  public void serve(List<Route> others, Authenticator authenticator, boolean isCold) {
    RequestAdmission next =
        reception(others, authenticator, compression.of(config.compressionLevels(), others));
    next.warm(isCold);
    routes = List.copyOf(others);
    admission = next;
  }

  /**
   * Listens, on event loops of its own.
   *
   * @throws BindException when something else listens on the port
   * @throws IOException when the address cannot be had, or the certificate and key cannot be used
   */
  public void start() throws IOException, InterruptedException {
    Vertx own =
        VertxBootstrap.create()
            .options(HttpTransport.options(config))
            .transport(HttpTransport.of(config, connectionLimiter))
            .init()
            .vertx();
    vertx = own;
    String _ = listen(own);
  }

  /**
   * Listens on the event loops of another listener, which has started and ends later: warming up
   * this listener warms them up too. Closing this one does not end the loops; ending any would make
   * the compiler discard their hottest compiled code. Connections are counted, bounded and swept
   * together with the lender's.
   */
  public void start(HttpListener lender) throws IOException, InterruptedException {
    Vertx lent = Objects.requireNonNull(lender.vertx, "the lender has not started");
    vertx = lent;
    hasLentLoops = true;
    share = listen(lent);
  }

  /** Deploys one instance for each event loop; returns the deployment's id. */
  private String listen(Vertx on) throws IOException, InterruptedException {
    tls = config.tls() == null ? null : new TlsFiles(config.tls(), meter);
    HttpServerOptions serverOptions = serverOptions();
    DeploymentOptions oneForEachLoop = new DeploymentOptions().setInstances(config.loops());
    Future<String> deployment =
        on.deployVerticle(() -> context -> deploy(context, serverOptions), oneForEachLoop);
    String name;
    try {
      name = FrameworkFutures.await(deployment, FIRST_WORDS);
    } catch (InterruptedException hurried) {
      // Otherwise the deployment would go on, and be ended a second time together with its event
      // loops.
      try {
        FrameworkFutures.awaitAnyway(deployment.mapEmpty(), LAST_WORDS);
        share = hasLentLoops ? deployment.result() : null;
      } finally {
        close();
      }
      throw hurried;
    } catch (IOException e) {
      close();
      if (FrameworkFutures.isInUse(e)) {
        BindException taken = new BindException("port " + config.port() + " is in use");
        taken.initCause(e);
        throw taken;
      }
      String address = config.host() + ":" + config.port();
      throw new IOException("cannot listen on " + address + ": " + e.getMessage(), e);
    }
    if (tls != null) {
      tls.watch(servers);
    }
    return name;
  }

  /**
   * Shows new connections the certificate that other files hold; see {@link TlsFiles#take}. Blocks.
   */
  public boolean takeCertificate(HttpConfig other) throws IOException, InterruptedException {
    return tls != null && other.tls() != null && tls.take(other.tls(), servers);
  }

  /**
   * Whether the server is cold. While it is, all requests but those of {@link Priority#ALWAYS} are
   * refused, as answers would be slow. A new listener is not cold.
   */
  public void warm(boolean isCold) {
    admission.warm(isCold);
  }

  /**
   * Makes each answer the last one of its connection (HTTP/1.1), so that clients leave. Everything
   * is answered as before, until {@link #drain}.
   */
  public void leave() {
    admission.leave();
  }

  /** The port it listens on. */
  public int port() {
    return servers.getFirst().actualPort();
  }

  /** The routes it serves. */
  public List<Route> routes() {
    return routes;
  }

  /** Connections that are open. */
  public int connections() {
    return connectionLimiter.connections();
  }

  /** How many requests are admitted and not answered yet. */
  public int requestsUnderWay() {
    return admissionLimit.requests();
  }

  /** The bytes of those requests' bodies. */
  public long bodyBytes() {
    return admissionLimit.bytes();
  }

  @Override
  public String name() {
    return name;
  }

  /**
   * Refuses new requests, waits for those in flight, closes idle connections, then everything.
   * Requests with {@link Priority#ALWAYS} are answered to the end.
   */
  @Override
  public void drain(Duration patience) throws InterruptedException {
    long until = System.nanoTime() + patience.toNanos();
    admission.stop();
    do {
      for (EventLoopState loop : loops) {
        loop.executor.execute(loop::closeIdle);
      }
      LockSupport.parkNanos(5_000_000L);
      if (Thread.interrupted()) {
        close();
        throw new InterruptedException();
      }
    } while ((admissionLimit.requests() > 0 || connectionLimiter.connections() > 0)
        && System.nanoTime() - until < 0);
    close();
  }

  /** Closes at once, whatever is in flight. */
  @Override
  public void close() {
    admission.stop();
    compression.close();
    if (tls != null) {
      tls.close();
    }
    Vertx running = vertx;
    vertx = null;
    if (running == null) {
      return;
    }
    String shared = share;
    try {
      if (!hasLentLoops) {
        FrameworkFutures.await(running.close(), LAST_WORDS);
        loops.forEach(EventLoopState::free);
      } else if (shared != null) {
        loops.forEach(EventLoopState::stop);
        // Even when interrupted: the lender may be about to end, and would end this deployment a
        // second time.
        FrameworkFutures.awaitAnyway(onLoop(() -> running.undeploy(shared)), LAST_WORDS);
        loops.forEach(loop -> loop.executor.execute(loop::free));
      }
    } catch (IOException e) {
      LOG.log(System.Logger.Level.WARNING, "the HTTP listener did not stop in time: {0}", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Starts the instance of one event loop. */
  private Future<?> deploy(Context context, HttpServerOptions serverOptions) {
    EventLoop executor = ((ContextInternal) context).nettyEventLoop();
    QueueDelay queueDelay = new QueueDelay(config.limits().queueDelayTarget().toNanos());
    LoopMeter loopMeter =
        meter.loop(
            name,
            () -> executor instanceof SingleThreadEventExecutor one ? one.pendingTasks() : 0,
            queueDelay::share);
    EventLoopState loop = new EventLoopState(executor, timeouts, loopMeter, queueDelay);
    loops.add(loop);
    connectionLimiter.add(loop);
    loop.start();
    HttpServer server =
        context
            .owner()
            .createHttpServer(serverOptions)
            .requestHandler(request -> admission.receive(request))
            .invalidRequestHandler(request -> admission.receiveMalformed(request))
            .exceptionHandler(unreadable -> {})
            .connectionHandler(
                connection -> {
                  if (connection instanceof ConnectionBase base
                      && connection instanceof io.vertx.core.http.impl.http2.Http2Connection) {
                    ((ConnectionGuard) base.channel().pipeline().first()).multiplexed();
                  }
                });
    servers.add(server);
    return server.listen(address());
  }

  private SocketAddress address() {
    return config.port() == 0
        ? SocketAddress.sharedRandomPort(id, config.host())
        : SocketAddress.inetSocketAddress(config.port(), config.host());
  }

  private HttpServerOptions serverOptions() {
    HttpServerOptions options =
        new HttpServerOptions()
            .setAcceptBacklog(BACKLOG)
            .setMaxInitialLineLength(LINE_BYTES_MAX)
            .setMaxHeaderSize(HEAD_BYTES_MAX)
            .setHandle100ContinueAutomatically(false)
            .setStrictThreadMode(true)
            .setPerFrameWebSocketCompressionSupported(false)
            .setPerMessageWebSocketCompressionSupported(false)
            .setHttp2ClearTextEnabled(false)
            .setHttp2ConnectionWindowSize(CONNECTION_WINDOW_BYTES)
            .setInitialSettings(
                new Http2Settings()
                    .setMaxConcurrentStreams(STREAMS_MAX)
                    .setInitialWindowSize(STREAM_WINDOW_BYTES)
                    .setMaxHeaderListSize(HEAD_BYTES_MAX));
    if (tls != null) {
      tls.configure(options);
      options
          .setSslHandshakeTimeout(timeouts.headNanos())
          .setSslHandshakeTimeoutUnit(TimeUnit.NANOSECONDS);
    }
    return options;
  }

  /** Starts work on one of our event loops, as everything is started that changes them. */
  private Future<Void> onLoop(Supplier<Future<Void>> work) {
    Promise<Void> done = Promise.promise();
    loops.getFirst().executor.execute(() -> work.get().onComplete(done));
    return done.future();
  }
}

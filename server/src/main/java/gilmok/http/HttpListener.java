package gilmok.http;

import gilmok.warmup.Drainable;
import io.netty.bootstrap.ServerBootstrap;
import io.vertx.core.Context;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.file.FileSystemOptions;
import io.vertx.core.http.Http2Settings;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.impl.transports.EpollTransport;
import io.vertx.core.impl.transports.NioTransport;
import io.vertx.core.internal.ContextInternal;
import io.vertx.core.internal.VertxBootstrap;
import io.vertx.core.net.SocketAddress;
import io.vertx.core.net.TcpConfig;
import io.vertx.core.net.impl.ConnectionBase;
import io.vertx.core.spi.transport.Transport;
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
 * An address at which routes are served: HTTP/1.1 with pipelining, HTTP/2 over TLS and in clear
 * text. It has its own event loops, so that a second listener, for operators, answers while the
 * first is under load, or another's ({@link #start(HttpListener)}). Start once, then {@link #drain}
 * or {@link #close}; thread-safe.
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

  static {
    Framework.lighten();
  }

  private static final AtomicInteger IDS = new AtomicInteger();

  /** The instances of one listener share a free port, those of two on the same loops do not. */
  private final int id = 1 + IDS.getAndIncrement() % 10_000;

  private final HttpConfig config;
  private final RequestMeter meter;
  private final ConnectionTimeouts timeouts;
  private final AdmissionLimit admissionLimit;
  private final CompressionPolicy compression;
  private volatile List<Route> routes;
  private volatile RequestAdmission admission;
  private final ConnectionLimiter connectionLimiter;
  private final List<EventLoopState> loops = new CopyOnWriteArrayList<>();
  private final List<HttpServer> servers = new CopyOnWriteArrayList<>();

  /** Where the framework tells of what clients do wrong; kept to keep them off. */
  private final List<Logger> clientLogs =
      List.of(
          Logger.getLogger("io.vertx.core.net.impl.ConnectionBase"),
          Logger.getLogger("io.netty.handler.codec.http2"));

  private @Nullable Vertx vertx;
  private boolean hasLentLoops;

  /** What undeploys our share of those. */
  private @Nullable String share;

  private @Nullable TlsFiles tls;

  /** A listener that does not listen yet. */
  public HttpListener(
      HttpConfig config, List<Route> routes, Authenticator authenticator, RequestMeter meter) {
    this.config = config;
    this.routes = List.copyOf(routes);
    this.meter = meter;
    HttpConfig.Limits limits = config.limits();
    this.timeouts = ConnectionTimeouts.of(config);
    this.admissionLimit =
        new AdmissionLimit(limits.requestsMax(), limits.bodiesBytesMax(), config.trustedProxies());
    this.compression = new CompressionPolicy(config.compressionLevels(), routes, meter);
    this.admission = reception(routes, authenticator, compression);
    this.connectionLimiter = new ConnectionLimiter(limits.connectionsMax(), timeouts);
    clientLogs.forEach(log -> log.setLevel(Level.OFF));
  }

  private RequestAdmission reception(
      List<Route> served, Authenticator authenticator, CompressionPolicy packed) {
    Cors cors = new Cors(config.corsOrigins());
    ExchangeContext context = new ExchangeContext(admissionLimit, timeouts, cors, packed, meter);
    return new RequestAdmission(new Router(served), authenticator, context);
  }

  /**
   * From now on these are served in place of those before; requests under way end as they began.
   * Not while it {@link #drain}s.
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
    Vertx own = VertxBootstrap.create().options(options()).transport(transport()).init().vertx();
    vertx = own;
    String _ = listen(own);
  }

  /**
   * Listens on the event loops of another, which has started and ends later: what warms this one up
   * warms them. To end it ends none of them, which would make the compiler throw away what it has
   * made of their hottest code. Its connections are counted, bounded and swept with the lender's.
   */
  public void start(HttpListener lender) throws IOException, InterruptedException {
    Vertx lent = Objects.requireNonNull(lender.vertx, "the lender has not started");
    vertx = lent;
    hasLentLoops = true;
    share = listen(lent);
  }

  /** Its instances' name. */
  private String listen(Vertx on) throws IOException, InterruptedException {
    tls = config.tls() == null ? null : new TlsFiles(config.tls());
    HttpServerOptions serverOptions = serverOptions();
    DeploymentOptions oneForEachLoop = new DeploymentOptions().setInstances(config.loops());
    Future<String> deployment =
        on.deployVerticle(() -> context -> deploy(context, serverOptions), oneForEachLoop);
    String name;
    try {
      name = FrameworkFutures.await(deployment, LAST_WORDS);
    } catch (InterruptedException hurried) {
      // Else it would go on, and be ended a second time with the event loops that it is on.
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

  /** Has new connections shown what other files hold; see {@link TlsFiles#take}. Blocks. */
  public boolean takeCertificate(HttpConfig other) throws IOException, InterruptedException {
    return tls != null && other.tls() != null && tls.take(other.tls(), servers);
  }

  /**
   * Whether requests are refused, but those of {@link Priority#ALWAYS}, as they would be answered
   * slowly. At first they are not.
   */
  public void warm(boolean isCold) {
    admission.warm(isCold);
  }

  /**
   * Tells clients to go: each answer ends its connection (HTTP/1.1). Everything is answered as
   * before, until {@link #drain}.
   */
  public void leave() {
    admission.leave();
  }

  /** The port it listens on. */
  public int port() {
    return servers.getFirst().actualPort();
  }

  /** Everything it answers. */
  public List<Route> routes() {
    return routes;
  }

  /** Connections that are open. */
  public int connections() {
    return connectionLimiter.connections();
  }

  /** Requests let in and not answered yet. */
  public int requestsUnderWay() {
    return admissionLimit.requests();
  }

  /** Bytes of the bodies of those requests. */
  public long bodyBytes() {
    return admissionLimit.bytes();
  }

  @Override
  public String name() {
    return "http";
  }

  /**
   * Refuses new requests, waits for those under way, closes idle connections, then everything.
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

  /** Closes at once, whatever is under way. */
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
        // Also when hurried: the lender may be about to end, and would end it a second time.
        FrameworkFutures.awaitAnyway(onLoop(() -> running.undeploy(shared)), LAST_WORDS);
        loops.forEach(loop -> loop.executor.execute(loop::free));
      }
    } catch (IOException e) {
      LOG.log(System.Logger.Level.WARNING, "the HTTP listener did not stop in time: {0}", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** One event loop's share of the address. */
  private Future<?> deploy(Context context, HttpServerOptions serverOptions) {
    EventLoopState loop =
        new EventLoopState(((ContextInternal) context).nettyEventLoop(), timeouts, meter);
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
                    ((ConnectionGuard) base.channel().pipeline().first()).multiplexed(tls == null);
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

  private VertxOptions options() {
    return new VertxOptions()
        .setEventLoopPoolSize(config.loops())
        .setWorkerPoolSize(1)
        .setInternalBlockingPoolSize(2)
        .setFileSystemOptions(
            new FileSystemOptions()
                .setFileCachingEnabled(false)
                .setClassPathResolvingEnabled(false));
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
            .setHttp2ClearTextEnabled(true)
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

  private Transport transport() throws IOException {
    Transport epoll =
        new EpollTransport() {
          @Override
          public void configure(TcpConfig tcp, boolean domainSocket, ServerBootstrap bootstrap) {
            super.configure(tcp, domainSocket, bootstrap);
            bootstrap.handler(connectionLimiter);
          }
        };
    if (config.transport() != HttpConfig.Transport.NIO && epoll.isAvailable()) {
      return epoll;
    }
    if (config.transport() == HttpConfig.Transport.EPOLL) {
      throw new IOException("http.transport: epoll is not to be had on this machine");
    }
    return new NioTransport() {
      @Override
      public void configure(TcpConfig tcp, boolean domainSocket, ServerBootstrap bootstrap) {
        super.configure(tcp, domainSocket, bootstrap);
        bootstrap.handler(connectionLimiter);
      }
    };
  }

  /** Begun on a thread of ours, as all else that is done with event loops. */
  private Future<Void> onLoop(Supplier<Future<Void>> work) {
    Promise<Void> done = Promise.promise();
    loops.getFirst().executor.execute(() -> work.get().onComplete(done));
    return done.future();
  }
}

package gilmok.http;

import gilmok.auth.Denial;
import gilmok.auth.KeyNames;
import gilmok.auth.Keys;
import gilmok.observe.Meters;
import gilmok.observe.SlowRequests;
import gilmok.runtime.CloseStack;
import gilmok.trace.Tracer;
import gilmok.warmup.Drainable;
import java.io.IOException;
import java.net.BindException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The addresses at which a server answers: the main one and, where there is one, the operators'.
 * They are open before the server's parts are ready: a liveness check then gets its answer, and
 * every other request a refusal that says when to try again. {@link #serve} is for one thread at a
 * time, all else for any thread.
 */
public final class Listeners {
  private final RequestMeters requests;
  private final HttpListener main;
  private final List<HttpListener> all = new ArrayList<>();

  private Listeners(RequestMeters requests, HttpListener main) {
    this.requests = requests;
    this.main = main;
  }

  /**
   * Listens.
   *
   * @param config of the main address
   * @param operators where the operators' own address is, if there is one
   * @param health the routes that answer at once, without a key
   * @param tracer decides which requests are traced
   * @param scrapes the offload that writes metrics
   * @param lender whose event loops answer at the main address; null: its own
   * @param closeStack takes what has to be closed when the start fails later
   * @throws IOException when an address cannot be had; it names the option that chooses another
   */
  public static Listeners open(
      HttpConfig config,
      OperateConfig operators,
      List<Route> health,
      Meters meters,
      Tracer tracer,
      Offload scrapes,
      @Nullable Listeners lender,
      CloseStack closeStack)
      throws IOException, InterruptedException {
    RequestMeters requests = new RequestMeters(meters, tracer);
    requests.add(health);
    HttpListener main =
        new HttpListener("http", config, health, (_, _, _, _) -> Denial.UNKNOWN, requests);
    main.warm(true);
    RequestMeters.watch(meters, main);
    Listeners listeners = new Listeners(requests, main);
    if (operators.port() > 0) {
      List<Route> operate = new ArrayList<>(health);
      operate.add(HealthRoutes.openMetrics(meters::scrape, scrapes));
      listeners.listen(
          new HttpListener(
              "operators",
              config.forOperators(operators.host(), operators.port()),
              operate,
              (_, _, _, _) -> Denial.UNKNOWN,
              requests),
          null,
          "--set operate.port=N",
          closeStack);
    }
    listeners.listen(main, lender, "--port", closeStack);
    int connectionsMax = config.limits().connectionsMax();
    meters.gauge("gilmok_http_connections_max", "http.connections-max.", () -> connectionsMax);
    return listeners;
  }

  /**
   * Serves the routes, now that the parts are ready.
   *
   * @param isCold whether all but health, version and metrics is refused until {@link #warm}
   */
  public void serve(
      HttpConfig config, List<Route> routes, Keys keys, KeyNames keyNames, boolean isCold)
      throws IOException {
    config.compressionLevels().check(routes);
    requests.add(routes);
    main.serve(routes, new KeyAuthenticator(keys, keyNames), isCold);
  }

  /** See {@link HttpListener#takeCertificate}. */
  public boolean takeCertificate(HttpConfig other) throws IOException, InterruptedException {
    return main.takeCertificate(other);
  }

  private void listen(
      HttpListener listener, @Nullable Listeners lender, String option, CloseStack closeStack)
      throws IOException, InterruptedException {
    try {
      if (lender == null) {
        listener.start();
      } else {
        listener.start(lender.main);
      }
    } catch (BindException taken) {
      throw new IOException(
          taken.getMessage() + ": stop what listens there or choose another with " + option, taken);
    }
    closeStack.add(listener);
    all.addFirst(listener);
  }

  /** From now on everything is answered. */
  public void warm() {
    main.warm(false);
  }

  /** The port of the main address. */
  public int port() {
    return main.port();
  }

  /**
   * Says in the log what holds up an event loop; to be called twice a second. Returns whether any
   * has connections.
   */
  public boolean lookAtLoops() {
    return requests.lookAtLoops();
  }

  /** Sets which requests have a line in the log, from now on. */
  public void log(AccessLogConfig config) {
    requests.accessLog().take(config);
  }

  /** The slowest requests of late, of all addresses. */
  public SlowRequests slowRequests() {
    return requests.slowRequests();
  }

  /** All routes that the server answers. */
  public List<Route> routes() {
    return main.routes();
  }

  /** Makes each answer the last one of its connection, so that clients leave. */
  public void leave() {
    all.forEach(HttpListener::leave);
  }

  /**
   * The order of draining: the main address before all parts, and the operators' address last, so
   * that operators can watch until the end.
   */
  public List<Drainable> around(List<Drainable> parts) {
    List<Drainable> order = new ArrayList<>(parts);
    order.addAll(all.subList(1, all.size()));
    order.addFirst(main);
    return order;
  }
}

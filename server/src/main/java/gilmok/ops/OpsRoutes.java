package gilmok.ops;

import com.sun.management.OperatingSystemMXBean;
import gilmok.background.BackgroundLoop;
import gilmok.event.JsonBuffer;
import gilmok.http.Answer;
import gilmok.http.Exchange;
import gilmok.http.Offload;
import gilmok.http.OwnershipRule;
import gilmok.http.Priority;
import gilmok.http.Refusal;
import gilmok.http.Route;
import gilmok.observe.Readiness;
import gilmok.observe.SlowRequest;
import gilmok.warmup.Drainable;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * {@code GET /v1/ops}: the last hour of this server; {@code GET /v1/slow}: the slowest requests of
 * each route, with where their time went. The handlers run on event loops and leave them by {@link
 * Offload}, as the answers are long.
 */
public final class OpsRoutes implements Drainable {
  private static final int IN_FLIGHT_MAX = 8;

  private final OpsContext context;
  private final Offload offload;
  private final MetricsSampler sampler;
  private final BackgroundLoop loop;

  /** Routes that answer nothing of the past before {@link #start}. */
  public OpsRoutes(OpsContext context) {
    this.context = context;
    offload = context.offloads().of("ops", "the last hour cannot be shown", IN_FLIGHT_MAX, null);
    sampler =
        new MetricsSampler(
            context.meters(),
            context.clock(),
            System::nanoTime,
            OpsRoutes::processorNanos,
            ManagementFactory.getRuntimeMXBean().getStartTime());
    loop = context.loops().optional("ops", "the page /ops stands still", sampler);
  }

  /** The processor time that this process has used; ever more where that is unknown. */
  private static long processorNanos() {
    return ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean system
        ? system.getProcessCpuTime()
        : System.nanoTime();
  }

  /** Begins to sample. */
  public void start() {
    loop.start();
  }

  /** Both routes. */
  public List<Route> routes() {
    return List.of(
        Route.read("/v1/ops", OwnershipRule.UNBOUND_ONLY, Priority.ALWAYS, this::show)
            .queriedBy("since"),
        Route.read("/v1/slow", OwnershipRule.UNBOUND_ONLY, Priority.ALWAYS, this::showSlow)
            .queriedBy("route"));
  }

  private void show(Exchange exchange) {
    String since = exchange.query("since");
    if (since != null && !since.matches("\\d{1,15}")) {
      exchange.refuse(Refusal.INVALID, "since", "not a whole number from 0 on");
      return;
    }
    long sinceMillis = since == null ? 0 : Long.parseLong(since);
    offload.ask(exchange, () -> Answer.json(answer(sinceMillis)));
  }

  private void showSlow(Exchange exchange) {
    String route = exchange.query("route");
    offload.ask(exchange, () -> Answer.json(slow(route)));
  }

  private byte[] slow(@Nullable String wanted) {
    List<List<SlowRequest>> routes = new ArrayList<>();
    for (List<SlowRequest> route : context.slowRequests().byRoute()) {
      if (wanted == null || wanted.equals(route.getFirst().route())) {
        routes.add(route);
      }
    }
    JsonBuffer out = new JsonBuffer();
    out.ascii("{\"node\":").string(context.node());
    out.ascii(",\"now\":").number(context.clock().millis());
    out.ascii(",\"routes\":").list(routes, SlowRequestsJson::route);
    return out.put('}').copy();
  }

  private byte[] answer(long sinceMillis) {
    JsonBuffer out = new JsonBuffer();
    out.ascii("{\"node\":").string(context.node());
    out.ascii(",\"version\":").string(context.version());
    out.ascii(",\"now\":").number(context.clock().millis()).put(',');
    sampler.write(sinceMillis, out);
    Map<String, Readiness.Lack> missing = context.readiness().missing();
    out.ascii(",\"ready\":").ascii(Boolean.toString(context.readiness().ready()));
    out.ascii(",\"missing\":").list(List.copyOf(missing.entrySet()), OpsRoutes::write);
    List<SlowRequest> slowest = context.slowRequests().slowest();
    out.ascii(",\"slowest\":")
        .list(
            slowest.stream().filter(one -> ClientTraffic.isOf(path(one))).toList(),
            SlowRequestsJson::request);
    return out.put('}').copy();
  }

  private static void write(Map.Entry<String, Readiness.Lack> part, JsonBuffer out) {
    out.ascii("{\"name\":").string(part.getKey());
    out.ascii(",\"reason\":").string(part.getValue().reason());
    out.ascii(",\"optional\":").ascii(Boolean.toString(part.getValue().isOptional())).put('}');
  }

  private static String path(SlowRequest request) {
    return request.route().substring(request.route().indexOf(' ') + 1);
  }

  @Override
  public String name() {
    return "ops";
  }

  @Override
  public void drain(Duration patience) throws InterruptedException {
    loop.stop(patience);
    offload.drain(patience);
  }
}

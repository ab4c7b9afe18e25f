package gilmok.lab.load;

import gilmok.lab.ProcessorClock;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioSocketChannel;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.SequencedMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.json.JsonMapper;

/**
 * {@code lab deliveries}: takes deliveries through their life at a rate and measures it. Exits with
 * 0 when the run counts, 3 when it is void (an error, something unanswered).
 */
@Command(
    name = "deliveries",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "Whole deliveries on a server of this machine: create to complete, open loop.")
public final class ScenarioCommand implements Callable<Integer> {
  private static final int VOID = 3;
  private static final int MISUSED = 2;
  private static final long PROGRESS_SECONDS = 5;
  private static final SequencedMap<String, Double> PERCENTILES = new LinkedHashMap<>();

  static {
    PERCENTILES.put("p50", 50.0);
    PERCENTILES.put("p90", 90.0);
    PERCENTILES.put("p99", 99.0);
    PERCENTILES.put("p99.9", 99.9);
    PERCENTILES.put("max", 100.0);
  }

  private static final long CONNECT_SECONDS = 10;

  @Mixin private LoadOptions options = new LoadOptions();

  @Option(names = "--key", required = true, description = "API key with the scope operate")
  private String key = "";

  @Option(names = "--rate", defaultValue = "1000", description = "transitions/s: ${DEFAULT-VALUE}")
  private double rate;

  @Option(names = "--ramp", defaultValue = "0", description = "seconds from 1 to the rate")
  private int ramp;

  @Option(names = "--journal", description = "a row of CSV each minute; needs --server-pid")
  private @Nullable Path journal;

  @Option(names = "--gc-log", description = "the server's -Xlog:gc:file=, for the journal")
  private @Nullable Path gcLog;

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (!options.isOfThisMachine()) {
      return MISUSED;
    }
    ScenarioPlan plan;
    try {
      plan =
          new ScenarioPlan(
              options.host(),
              options.port(),
              key.strip(),
              options.connections,
              rate,
              Duration.ofSeconds(ramp),
              Duration.ofSeconds(options.warmup),
              Duration.ofSeconds(options.seconds),
              Duration.ofSeconds(30));
    } catch (IllegalArgumentException wrong) {
      System.err.println(wrong.getMessage());
      return MISUSED;
    }
    if (journal != null && options.serverPid == 0) {
      System.err.println("--journal needs --server-pid");
      return MISUSED;
    }
    boolean epoll = Epoll.isAvailable();
    var handlers = epoll ? EpollIoHandler.newFactory() : NioIoHandler.newFactory();
    var group = new MultiThreadIoEventLoopGroup(1, handlers);
    try {
      String run = Long.toString(System.currentTimeMillis(), Character.MAX_RADIX);
      ScenarioLane lane = new ScenarioLane(group.next(), plan, run);
      Bootstrap bootstrap =
          new Bootstrap()
              .group(group)
              .channel(epoll ? EpollSocketChannel.class : NioSocketChannel.class)
              .option(ChannelOption.TCP_NODELAY, true);
      connect(bootstrap, plan, lane);
      return report(plan, lane, measure(group, plan, lane)) ? 0 : VOID;
    } finally {
      group.shutdownGracefully(0, 1, TimeUnit.SECONDS).await(5, TimeUnit.SECONDS);
    }
  }

  private static void connect(Bootstrap bootstrap, ScenarioPlan plan, ScenarioLane lane)
      throws IOException, InterruptedException {
    for (int i = 0; i < plan.connections(); i++) {
      ScenarioLane.Line line = lane.connect();
      ChannelFuture connected =
          bootstrap
              .clone()
              .handler(
                  new ChannelInitializer<Channel>() {
                    @Override
                    protected void initChannel(Channel channel) {
                      channel.pipeline().addLast(line);
                    }
                  })
              .connect(plan.host(), plan.port());
      if (!connected.await(CONNECT_SECONDS, TimeUnit.SECONDS) || !connected.isSuccess()) {
        throw new IOException("cannot connect to " + plan.host() + ":" + plan.port());
      }
    }
  }

  private LoadRun.Usage measure(
      MultiThreadIoEventLoopGroup group, ScenarioPlan plan, ScenarioLane lane)
      throws IOException, InterruptedException {
    ProcessorClock server = options.serverPid == 0 ? null : new ProcessorClock(options.serverPid);
    LoadRun.Usage used;
    try (MinuteJournal minutes = journal(lane)) {
      long start = System.nanoTime();
      long measuredStart = start + plan.ramp().toNanos() + plan.warmup().toNanos();
      long end = measuredStart + plan.measured().toNanos();
      group.next().execute(() -> lane.start(new Lane.Window(start, measuredStart, end)));
      await(lane, start, measuredStart, minutes);
      LoadRun.Usage before = LoadRun.Usage.now(server);
      await(lane, start, end, minutes);
      used = LoadRun.Usage.now(server).since(before);
    }
    try {
      lane.ended().get(plan.drain().toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException late) {
      System.err.println("not everything was answered within " + plan.drain());
    } catch (ExecutionException impossible) {
      throw new IllegalStateException(impossible);
    }
    group.next().submit(lane::close).await(5, TimeUnit.SECONDS);
    return used;
  }

  private @Nullable MinuteJournal journal(ScenarioLane lane) throws IOException {
    if (journal == null) {
      return null;
    }
    return new MinuteJournal(
        journal,
        URI.create(options.url),
        key.strip(),
        options.serverPid,
        gcLog,
        lane.tally().everything);
  }

  /** Waits, telling progress; minutes are counted from the start. */
  private void await(ScenarioLane lane, long start, long until, @Nullable MinuteJournal minutes)
      throws IOException, InterruptedException {
    long told = lane.tally().answered();
    long left = until - System.nanoTime();
    while (left > 0 && !lane.ended().isDone()) {
      long from = System.nanoTime();
      TimeUnit.NANOSECONDS.sleep(Math.min(left, TimeUnit.SECONDS.toNanos(PROGRESS_SECONDS)));
      long now = lane.tally().answered();
      if (!options.quiet) {
        double passed = (System.nanoTime() - from) / 1e9;
        System.err.printf("%,.0f transitions/s%n", (now - told) / passed);
      }
      told = now;
      if (minutes != null) {
        minutes.look();
        if (minute(System.nanoTime() - start) > minute(from - start)) {
          minutes.row(lane.tally().failed());
        }
      }
      left = until - System.nanoTime();
    }
  }

  private static long minute(long nanos) {
    return TimeUnit.NANOSECONDS.toMinutes(nanos);
  }

  private boolean report(ScenarioPlan plan, ScenarioLane lane, LoadRun.Usage used)
      throws IOException {
    Tally tally = lane.tally();
    Histogram all = tally.latencies;
    double perSecond = tally.answeredMeasured / (plan.measured().toNanos() / 1e9);
    Map<String, Object> numbers = new LinkedHashMap<>();
    numbers.put("rateWanted", plan.rate());
    numbers.put("transitionsPerSecond", perSecond);
    PERCENTILES.forEach(
        (name, percentile) -> numbers.put(name, all.getValueAtPercentile(percentile) / 1e6));
    numbers.put("worstSecondP99", tally.worstSecondP99() / 1e6);
    double wall = used.wallNanos();
    numbers.put("serverCores", used.serverNanos() / wall);
    numbers.put("serverMicros", used.serverNanos() / 1e3 / Math.max(1, perSecond * wall / 1e9));
    numbers.put("loadCores", used.ownNanos() / wall);
    numbers.put(
        "otherCores",
        Math.max(0, (used.machineNanos() - used.ownNanos() - used.serverNanos()) / wall));
    numbers.put("errors", tally.errors);
    numbers.forEach(
        (name, value) ->
            System.out.println(
                value instanceof Double number
                    ? String.format(Locale.ROOT, "%-22s %,.3f", name, number)
                    : String.format(Locale.ROOT, "%-22s %s", name, value)));
    Path json = options.json;
    if (json != null) {
      Files.writeString(json, JsonMapper.shared().writeValueAsString(numbers));
    }
    return tally.errors.isEmpty() && tally.answeredMeasured > 0;
  }
}

package gilmok.lab.load;

import gilmok.lab.ProcessorClock;
import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.FixedRecvByteBufAllocator;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** One run of load: connects, sends for the planned time, waits for the last answers, reports. */
final class LoadRun {
  private static final int RECEIVE_BYTES = 8 * 1024;
  private static final Duration CONNECT_WAIT = Duration.ofSeconds(10);
  private static final Duration HEAD_START = Duration.ofMillis(100);
  private static final Duration PROGRESS_EVERY = Duration.ofSeconds(5);

  private final LoadPlan plan;
  private final @Nullable ProcessorClock server;
  private final Consumer<String> progress;
  private final List<List<Histogram>> bySecond = new ArrayList<>();
  private int keptSeconds;

  /**
   * @param plan what to do
   * @param server the server's processor time, if it is to be reported
   * @param progress is told how far the run is
   */
  LoadRun(LoadPlan plan, @Nullable ProcessorClock server, Consumer<String> progress) {
    this.plan = plan;
    this.server = server;
    this.progress = progress;
  }

  /** Keeps each of the first seconds of the measured part apart, too. */
  LoadRun keepingSeconds(int count) {
    keptSeconds = count;
    return this;
  }

  /** Those kept, of each lane, once it has run; nanoseconds. */
  List<List<Histogram>> bySecond() {
    return bySecond;
  }

  /** Runs to the end; takes as long as planned. */
  LoadReport run() throws IOException, InterruptedException {
    EventLoopGroup group = loops(plan.threads());
    try {
      return run(group);
    } finally {
      group.shutdownGracefully(0, 1, TimeUnit.SECONDS).await(5, TimeUnit.SECONDS);
    }
  }

  /** The same on {@link #loops} that are kept for the next run. */
  LoadReport run(EventLoopGroup group) throws IOException, InterruptedException {
    List<Lane> lanes = lanes(group);
    connectAll(lanes, Epoll.isAvailable() ? EpollSocketChannel.class : NioSocketChannel.class);
    return measure(lanes);
  }

  /** What runs can run on. */
  static EventLoopGroup loops(int threads) {
    IoHandlerFactory handlers =
        Epoll.isAvailable() ? EpollIoHandler.newFactory() : NioIoHandler.newFactory();
    return new MultiThreadIoEventLoopGroup(
        threads, new DefaultThreadFactory("load", true), handlers);
  }

  private List<Lane> lanes(EventLoopGroup group) {
    long startMillis = System.currentTimeMillis();
    List<Lane> lanes = new ArrayList<>();
    for (int i = 0; i < plan.threads(); i++) {
      Lane lane = new Lane(group.next(), plan, i, startMillis);
      lane.tally().keepSeconds(keptSeconds);
      lanes.add(lane);
    }
    return lanes;
  }

  private void connectAll(List<Lane> lanes, Class<? extends Channel> kind)
      throws IOException, InterruptedException {
    List<ChannelFuture> futures = new ArrayList<>();
    for (int i = 0; i < plan.connections(); i++) {
      Lane lane = lanes.get(i % lanes.size());
      Connection connection = lane.connect();
      futures.add(bootstrap(lane.loop(), kind, connection).connect(plan.host(), plan.port()));
    }
    for (ChannelFuture future : futures) {
      if (!future.await(CONNECT_WAIT.toMillis()) || !future.isSuccess()) {
        throw new IOException("cannot connect to " + plan.host() + ":" + plan.port());
      }
    }
  }

  private static Bootstrap bootstrap(
      EventLoop loop, Class<? extends Channel> kind, Connection connection) {
    return new Bootstrap()
        .group(loop)
        .channel(kind)
        .option(ChannelOption.TCP_NODELAY, true)
        .option(ChannelOption.ALLOCATOR, PooledByteBufAllocator.DEFAULT)
        .option(ChannelOption.RECVBUF_ALLOCATOR, new FixedRecvByteBufAllocator(RECEIVE_BYTES))
        .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, (int) CONNECT_WAIT.toMillis())
        .handler(
            new ChannelInitializer<Channel>() {
              @Override
              protected void initChannel(Channel channel) {
                channel.pipeline().addLast(connection);
              }
            });
  }

  private LoadReport measure(List<Lane> lanes) throws InterruptedException {
    long start = System.nanoTime() + HEAD_START.toNanos();
    long measuredStart = start + plan.warmup().toNanos();
    long end = measuredStart + plan.measured().toNanos();
    Lane.Window window = new Lane.Window(start, measuredStart, end);
    for (Lane lane : lanes) {
      lane.loop().execute(() -> lane.start(window));
    }
    sleepUntil(measuredStart, lanes);
    Usage before = Usage.now(server);
    sleepUntil(end, lanes);
    Usage used = Usage.now(server).since(before);
    return LoadReport.of(plan, tallies(lanes), used);
  }

  private List<Tally> tallies(List<Lane> lanes) throws InterruptedException {
    CompletableFuture<?> all =
        CompletableFuture.allOf(
            lanes.stream().map(Lane::ended).toArray(CompletableFuture<?>[]::new));
    try {
      all.get(plan.drain().toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      progress.accept("not everything was answered within " + plan.drain());
    } catch (ExecutionException e) {
      throw new IllegalStateException(e);
    }
    List<Tally> tallies = new ArrayList<>();
    for (Lane lane : lanes) {
      lane.loop().submit(lane::close).await(5, TimeUnit.SECONDS);
      tallies.add(lane.tally());
      bySecond.add(lane.tally().seconds());
    }
    return tallies;
  }

  /** Sleeps to a time, telling progress, or until every lane has ended for want of connections. */
  private void sleepUntil(long until, List<Lane> lanes) throws InterruptedException {
    long told = answered(lanes);
    long remaining = until - System.nanoTime();
    while (remaining > 0 && !lanes.stream().allMatch(lane -> lane.ended().isDone())) {
      long nap = Math.min(remaining, PROGRESS_EVERY.toNanos());
      long from = System.nanoTime();
      TimeUnit.NANOSECONDS.sleep(nap);
      remaining = until - System.nanoTime();
      long now = answered(lanes);
      if (remaining > 0) {
        double seconds = (System.nanoTime() - from) / 1e9;
        progress.accept(String.format("%,.0f requests/s", (now - told) / seconds));
      }
      told = now;
    }
  }

  private static long answered(List<Lane> lanes) {
    return lanes.stream().mapToLong(lane -> lane.tally().answered()).sum();
  }

  /** Processor time used, and the time on the clock it was used in. */
  record Usage(long wallNanos, long ownNanos, long serverNanos, long machineNanos) {
    static Usage now(@Nullable ProcessorClock server) {
      return new Usage(
          System.nanoTime(),
          ProcessorClock.own().nanos(),
          server == null ? 0 : server.nanos(),
          ProcessorClock.machineNanos());
    }

    Usage since(Usage before) {
      return new Usage(
          wallNanos - before.wallNanos,
          ownNanos - before.ownNanos,
          serverNanos - before.serverNanos,
          machineNanos - before.machineNanos);
    }
  }
}

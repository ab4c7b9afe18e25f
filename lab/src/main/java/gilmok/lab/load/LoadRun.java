package gilmok.lab.load;

import gilmok.lab.ProcessorClock;
import gilmok.lab.Subject;
import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
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
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.IntFunction;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;
import org.jspecify.annotations.Nullable;

/**
 * One load run: it connects, sends requests for the planned time, and waits for the last responses.
 * It may have other flows beside the first, such as updates beside searches; all share its event
 * loops. It is run once.
 */
public final class LoadRun {
  private static final int RECEIVE_BYTES = 32 * 1024;
  private static final Duration CONNECT_WAIT = Duration.ofSeconds(10);
  private static final Duration HEAD_START = Duration.ofMillis(100);
  private static final Duration PROGRESS_EVERY = Duration.ofSeconds(5);

  private final List<Flow> flows = new ArrayList<>();
  private List<Watch> watches = List.of();
  private Progress progress = (_, _) -> {};
  private @Nullable ProcessorClock server;
  private @Nullable Recorder recorder;
  private @Nullable EventLoopGroup kept;
  private int keptSeconds;

  /**
   * Requests that are sent in parallel to those of other flows; its lanes are added when they are
   * connected.
   */
  private record Flow(LoadPlan plan, IntFunction<Workload> workload, List<LoadLane> lanes) {}

  /**
   * A cumulative counter that is read at the beginning and the end of the measured part. Reading
   * must be fast.
   */
  @FunctionalInterface
  public interface Watch {
    /** The present value. */
    double read() throws InterruptedException;

    /** The processor time of some processes, in nanoseconds. */
    static Watch processor(List<Subject> subjects) {
      List<ProcessorClock> clocks =
          subjects.stream().map(subject -> new ProcessorClock(subject.pid())).toList();
      return () -> clocks.stream().mapToLong(ProcessorClock::nanos).sum();
    }
  }

  /** Receives the progress of a run. */
  @FunctionalInterface
  public interface Progress {
    /**
     * Called every few seconds.
     *
     * @param perSecond good responses of the first flow a second, since the last call
     * @param errors errors of the whole run so far
     */
    void tell(double perSecond, long errors) throws IOException, InterruptedException;
  }

  /**
   * A run.
   *
   * @param workload the requests of a lane, by its number
   */
  public LoadRun(LoadPlan plan, IntFunction<Workload> workload) {
    flows.add(new Flow(plan, workload, new ArrayList<>()));
  }

  /** A run on one thread. */
  public LoadRun(LoadPlan plan, Workload workload) {
    this(plan, _ -> workload);
  }

  /** Adds another flow, which lasts as long as the first. */
  public LoadRun beside(LoadPlan plan, Workload workload) {
    return beside(plan, _ -> workload);
  }

  /**
   * Adds another flow, which lasts as long as the first.
   *
   * @param workload the requests of a lane, by its number
   */
  public LoadRun beside(LoadPlan plan, IntFunction<Workload> workload) {
    flows.add(new Flow(plan, workload, new ArrayList<>()));
    return this;
  }

  /** Reads these counters. */
  public LoadRun watching(List<Watch> counts) {
    watches = counts;
    return this;
  }

  /** Reports progress to a listener. */
  public LoadRun telling(Progress listener) {
    progress = listener;
    return this;
  }

  /**
   * Measures the server's processor time.
   *
   * @param pid its process id; 0 for none
   */
  public LoadRun ofServer(long pid) {
    server = pid == 0 ? null : new ProcessorClock(pid);
    return this;
  }

  /** A histogram of latencies in nanoseconds, as runs have them. */
  public static Histogram histogram() {
    return Tally.histogram();
  }

  /** A recorder of latencies that another thread reads at intervals. */
  public static Recorder recorder() {
    return Tally.recorder();
  }

  /** Records the latencies of all good responses there too. */
  public LoadRun recording(@Nullable Recorder everything) {
    recorder = everything;
    return this;
  }

  /** Keeps a separate histogram of each of the first seconds of the measured part. */
  public LoadRun keepingSeconds(int count) {
    keptSeconds = count;
    return this;
  }

  /** Runs on the given {@link #loops}, which can be used for further runs. */
  public LoadRun on(EventLoopGroup loops) {
    kept = loops;
    return this;
  }

  /** Event loops for runs. */
  public static EventLoopGroup loops(int threads) {
    IoHandlerFactory handlers =
        Epoll.isAvailable() ? EpollIoHandler.newFactory() : NioIoHandler.newFactory();
    return new MultiThreadIoEventLoopGroup(
        threads, new DefaultThreadFactory("load", true), handlers);
  }

  /** A bootstrap of connections on event loops. */
  public static Bootstrap bootstrap(EventLoopGroup loops) {
    return new Bootstrap()
        .group(loops)
        .channel(Epoll.isAvailable() ? EpollSocketChannel.class : NioSocketChannel.class)
        .option(ChannelOption.TCP_NODELAY, true)
        .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, (int) CONNECT_WAIT.toMillis());
  }

  /** Runs to the end and returns the result of the first flow; takes as long as planned. */
  public RunResult run() throws IOException, InterruptedException {
    return runAll().getFirst();
  }

  /** Runs to the end and returns the result of each flow. */
  public List<RunResult> runAll() throws IOException, InterruptedException {
    EventLoopGroup loops = kept == null ? loops(flows.getFirst().plan.threads()) : kept;
    try {
      for (Flow flow : flows) {
        connect(flow, loops);
      }
      return measure(flows.getFirst().plan);
    } finally {
      if (kept == null) {
        loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).await(5, TimeUnit.SECONDS);
      }
    }
  }

  private void connect(Flow flow, EventLoopGroup loops) throws IOException, InterruptedException {
    LoadPlan plan = flow.plan;
    for (int i = 0; i < plan.threads(); i++) {
      Tally tally = new Tally(recorder, keptSeconds);
      flow.lanes.add(new LoadLane(loops.next(), plan, flow.workload.apply(i), tally));
    }
    List<ChannelFuture> futures = new ArrayList<>();
    for (int i = 0; i < plan.connections(); i++) {
      LoadLane lane = flow.lanes.get(i % flow.lanes.size());
      Connection connection = lane.connect();
      InetSocketAddress to = plan.servers().get(i % plan.servers().size());
      futures.add(
          bootstrap(lane.loop())
              .option(ChannelOption.ALLOCATOR, PooledByteBufAllocator.DEFAULT)
              .option(ChannelOption.RECVBUF_ALLOCATOR, new FixedRecvByteBufAllocator(RECEIVE_BYTES))
              .handler(
                  new ChannelInitializer<Channel>() {
                    @Override
                    protected void initChannel(Channel channel) {
                      channel.pipeline().addLast(connection);
                    }
                  })
              .connect(to));
    }
    for (ChannelFuture future : futures) {
      if (!future.await(CONNECT_WAIT.toMillis()) || !future.isSuccess()) {
        throw new IOException("cannot connect to " + plan.servers());
      }
    }
  }

  private List<RunResult> measure(LoadPlan plan) throws IOException, InterruptedException {
    List<LoadLane> lanes = flows.stream().flatMap(flow -> flow.lanes.stream()).toList();
    // The first reading of each counter may be slow: it connects, and loads classes.
    List<Double> _ = read();
    long start = System.nanoTime() + HEAD_START.toNanos();
    long measuredStart = start + plan.ramp().toNanos() + plan.warmup().toNanos();
    long end = measuredStart + plan.measured().toNanos();
    LoadLane.Window window = new LoadLane.Window(start, measuredStart, end);
    for (LoadLane lane : lanes) {
      long delay = start - System.nanoTime();
      var _ = lane.loop().schedule(() -> lane.start(window), delay, TimeUnit.NANOSECONDS);
    }
    CompletableFuture<Void> ended =
        CompletableFuture.allOf(
            lanes.stream().map(LoadLane::ended).toArray(CompletableFuture<?>[]::new));
    await(ended, measuredStart);
    List<Double> before = read();
    Usage usedBefore = Usage.now(server);
    await(ended, end);
    Usage used = Usage.now(server).since(usedBefore);
    List<Double> after = read();
    List<Double> watched =
        IntStream.range(0, after.size()).mapToObj(i -> after.get(i) - before.get(i)).toList();
    if (!isDone(ended, plan.drain().toNanos())) {
      System.err.println("not everything was answered within " + plan.drain());
    }
    for (LoadLane lane : lanes) {
      lane.loop().submit(lane::close).await(5, TimeUnit.SECONDS);
    }
    return flows.stream()
        .map(
            flow ->
                RunResult.of(
                    flow.plan, flow.lanes.stream().map(LoadLane::tally).toList(), used, watched))
        .toList();
  }

  private List<Double> read() throws InterruptedException {
    List<Double> values = new ArrayList<>();
    for (Watch watch : watches) {
      values.add(watch.read());
    }
    return values;
  }

  /** Waits until a time, reporting progress, or until every lane has ended. */
  private void await(CompletableFuture<Void> ended, long until)
      throws IOException, InterruptedException {
    long told = sum(Tally::answered);
    for (long left = until - System.nanoTime(); left > 0; left = until - System.nanoTime()) {
      long from = System.nanoTime();
      if (isDone(ended, Math.min(left, PROGRESS_EVERY.toNanos()))) {
        return;
      }
      long now = sum(Tally::answered);
      progress.tell((now - told) / ((System.nanoTime() - from) / 1e9), sum(Tally::failed));
      told = now;
    }
  }

  private long sum(ToLongFunction<Tally> count) {
    return flows.getFirst().lanes.stream().map(LoadLane::tally).mapToLong(count).sum();
  }

  private static boolean isDone(CompletableFuture<Void> ended, long nanos)
      throws InterruptedException {
    try {
      ended.get(nanos, TimeUnit.NANOSECONDS);
      return true;
    } catch (TimeoutException notYet) {
      return false;
    } catch (ExecutionException e) {
      throw new IllegalStateException(e);
    }
  }
}

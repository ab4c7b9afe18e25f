package gilmok.lab.missions;

import gilmok.lab.ProcessorClock;
import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.FixedRecvByteBufAllocator;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioSocketChannel;
import java.io.IOException;
import java.net.InetAddress;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * One run of a {@link Load}, in this process, on one event loop: answers of any length, read whole
 * and let go. Each connection has one request under way. In an open loop request k is due at {@code
 * start + k * interval} whatever the server does, and its latency counts from then.
 */
final class LoadLoop {
  private static final int RECEIVE_BYTES = 64 << 10;
  private static final long CONNECT_MILLIS = 10_000;
  private static final long HEAD_START_NANOS = 100_000_000L;
  private static final long DRAIN_SECONDS = 10;
  private static final long COUNT_SECONDS_MAX = 600;
  private static final int KINDS_MAX = 10;
  private static final long LATENCY_NANOS_MAX = 120_000_000_000L;

  private final Load load;
  private final List<Load.Watch> watches;
  private final List<ByteBuf> requests = new ArrayList<>();
  private final ArrayDeque<Line> idle = new ArrayDeque<>();
  private final List<Line> lines = new ArrayList<>();
  private final Histogram latencies = new Histogram(1_000L, LATENCY_NANOS_MAX, 3);
  private final Map<String, Long> errors = new LinkedHashMap<>();
  private final CompletableFuture<Boolean> ended = new CompletableFuture<>();
  private final double intervalNanos;
  private @Nullable EventLoop loop;
  private long start;
  private long measuredStart;
  private long end;
  private long next;
  private long dueCount;
  private long underWay;
  private long bodyBytes;
  private int turn;
  private boolean isArmed;
  private boolean isClosing;

  private LoadLoop(Load load, List<Load.Watch> watches) {
    this.load = load;
    this.watches = watches;
    intervalNanos = load.rate() > 0 ? 1e9 / load.rate() : 0;
  }

  /** Runs it to its end. Blocks. */
  static Load.Result run(Load load, List<Load.Watch> watches)
      throws IOException, InterruptedException {
    return new LoadLoop(load, watches).run();
  }

  private Load.Result run() throws IOException, InterruptedException {
    boolean epoll = Epoll.isAvailable();
    IoHandlerFactory handlers = epoll ? EpollIoHandler.newFactory() : NioIoHandler.newFactory();
    MultiThreadIoEventLoopGroup group = new MultiThreadIoEventLoopGroup(1, handlers);
    for (byte[] request : load.requests()) {
      requests.add(Unpooled.directBuffer(request.length, request.length).writeBytes(request));
    }
    try {
      EventLoop own = group.next();
      loop = own;
      connect(own, epoll ? EpollSocketChannel.class : NioSocketChannel.class);
      return measure(own);
    } finally {
      group.shutdownGracefully(0, 1, TimeUnit.SECONDS).await(5, TimeUnit.SECONDS);
      requests.forEach(ByteBuf::release);
    }
  }

  private void connect(EventLoop own, Class<? extends Channel> kind)
      throws IOException, InterruptedException {
    List<ChannelFuture> futures = new ArrayList<>();
    for (int i = 0; i < load.connections(); i++) {
      Line line = new Line();
      lines.add(line);
      int port = load.ports().get(i % load.ports().size());
      futures.add(bootstrap(own, kind, line).connect(InetAddress.getLoopbackAddress(), port));
    }
    for (ChannelFuture future : futures) {
      if (!future.await(CONNECT_MILLIS) || !future.isSuccess()) {
        throw new IOException("cannot connect to " + load.ports());
      }
    }
  }

  private static Bootstrap bootstrap(EventLoop own, Class<? extends Channel> kind, Line line) {
    return new Bootstrap()
        .group(own)
        .channel(kind)
        .option(ChannelOption.TCP_NODELAY, true)
        .option(ChannelOption.RECVBUF_ALLOCATOR, new FixedRecvByteBufAllocator(RECEIVE_BYTES))
        .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, (int) CONNECT_MILLIS)
        .handler(
            new ChannelInitializer<Channel>() {
              @Override
              protected void initChannel(Channel channel) {
                channel.pipeline().addLast(line);
              }
            });
  }

  private Load.Result measure(EventLoop own) throws InterruptedException {
    // The first reading of each may take long: it connects, and loads classes.
    List<Double> _ = read();
    start = System.nanoTime() + HEAD_START_NANOS;
    measuredStart = start + (long) (load.warmup() * 1e9);
    end = measuredStart + (long) ((load.count() > 0 ? COUNT_SECONDS_MAX : load.seconds()) * 1e9);
    var _ = own.schedule(this::begin, HEAD_START_NANOS, TimeUnit.NANOSECONDS);
    await(measuredStart);
    List<Double> before = read();
    long ownBefore = ProcessorClock.own().nanos();
    long wallBefore = System.nanoTime();
    await(end);
    double wall = (System.nanoTime() - wallBefore) / 1e9;
    double cores = (ProcessorClock.own().nanos() - ownBefore) / 1e9 / wall;
    List<Double> after = read();
    await(end + TimeUnit.SECONDS.toNanos(DRAIN_SECONDS));
    own.submit(this::close).await(5, TimeUnit.SECONDS);
    List<Double> watched = new ArrayList<>();
    for (int i = 0; i < before.size(); i++) {
      watched.add(after.get(i) - before.get(i));
    }
    double counted = load.count() > 0 ? wall : load.seconds();
    return new Load.Result(
        latencies.getTotalCount() / counted,
        latencies.getValueAtPercentile(50) / 1e6,
        latencies.getValueAtPercentile(99) / 1e6,
        latencies.getMaxValue() / 1e6,
        latencies.getTotalCount(),
        bodyBytes,
        errors,
        wall,
        cores,
        watched);
  }

  private List<Double> read() throws InterruptedException {
    List<Double> values = new ArrayList<>();
    for (Load.Watch watch : watches) {
      values.add(watch.read());
    }
    return values;
  }

  /** Waits until a time, or the run's end. */
  private void await(long until) throws InterruptedException {
    try {
      boolean _ = ended.get(until - System.nanoTime(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException notYet) {
      return;
    } catch (ExecutionException e) {
      throw new IllegalStateException(e);
    }
  }

  // What follows belongs to the event loop.

  private void begin() {
    if (load.rate() > 0) {
      dueCount = (long) ((end - start) / intervalNanos);
      idle.addAll(lines);
      arm();
      return;
    }
    for (Line line : List.copyOf(lines)) {
      if (load.count() == 0 || next < load.count()) {
        next++;
        line.send(System.nanoTime());
      }
    }
  }

  private ByteBuf request() {
    ByteBuf request = requests.get(turn).retainedDuplicate();
    turn = turn + 1 == requests.size() ? 0 : turn + 1;
    return request;
  }

  private void pump() {
    long now = System.nanoTime();
    while (next < dueCount && due(next) <= now && !isClosing) {
      Line line = idle.poll();
      if (line == null) {
        return;
      }
      line.send(due(next++));
    }
    arm();
  }

  private long due(long k) {
    return start + (long) (k * intervalNanos);
  }

  private void arm() {
    EventLoop own = loop;
    if (own != null && !isArmed && next < dueCount && !isClosing) {
      isArmed = true;
      long delay = Math.max(0, due(next) - System.nanoTime());
      var _ = own.schedule(this::tick, delay, TimeUnit.NANOSECONDS);
    }
  }

  private void tick() {
    isArmed = false;
    pump();
  }

  private void answered(Line line, long fromNanos) {
    long now = System.nanoTime();
    underWay--;
    check(line.response);
    boolean isOpen = load.rate() > 0;
    long counted = isOpen ? fromNanos : now;
    if (counted >= measuredStart && counted < end) {
      latencies.recordValue(Math.clamp(now - fromNanos, 0, LATENCY_NANOS_MAX));
    }
    if (isOpen) {
      idle.add(line);
      pump();
    } else if (now < end && !isClosing && (load.count() == 0 || next < load.count())) {
      next++;
      line.send(now);
    }
    boolean isCounted = load.count() > 0 && now < end;
    endWhenDone(isOpen ? next >= dueCount : isCounted ? next >= load.count() : now >= end);
  }

  private void endWhenDone(boolean sent) {
    if (sent && underWay == 0) {
      ended.complete(true);
    }
  }

  private void check(Response response) {
    bodyBytes = response.bodyBytes();
    if (!load.isWanted().test(response.status())) {
      error("status " + response.status(), 1);
    } else if (load.isPacked() && !response.isPacked()) {
      error("not packed", 1);
    }
  }

  private void error(String kind, long times) {
    if (times > 0) {
      String kept = errors.containsKey(kind) || errors.size() < KINDS_MAX ? kind : "other";
      errors.merge(kept, times, Long::sum);
    }
  }

  private void failed(Line line, String why) {
    if (isClosing || !lines.remove(line)) {
      return;
    }
    error(why, 1);
    idle.remove(line);
    if (line.isAsking) {
      underWay--;
    }
    line.close();
    if (lines.isEmpty()) {
      ended.complete(false);
    }
  }

  private void close() {
    isClosing = true;
    error("unanswered", Math.max(0, underWay) + Math.max(0, dueCount - next));
    lines.forEach(Line::close);
    ended.complete(false);
  }

  /** One connection. */
  private final class Line extends ChannelInboundHandlerAdapter {
    private final Response response = new Response();
    private @Nullable ChannelHandlerContext context;
    private long fromNanos;
    private boolean isAsking;

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
      context = ctx;
    }

    void send(long from) {
      ChannelHandlerContext ctx = context;
      if (ctx != null) {
        fromNanos = from;
        isAsking = true;
        underWay++;
        // The void promise reports a failure to exceptionCaught.
        var _ = ctx.writeAndFlush(request(), ctx.voidPromise());
      }
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
      ByteBuf in = (ByteBuf) message;
      try {
        while (in.isReadable()) {
          if (!isAsking) {
            failed(this, "an answer nobody asked for");
            return;
          }
          if (!response.take(in)) {
            continue;
          }
          if (response.isBroken()) {
            failed(this, "an answer not understood");
            return;
          }
          isAsking = false;
          answered(this, fromNanos);
          response.clear();
        }
      } finally {
        in.release();
      }
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
      failed(this, "closed by the server");
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
      failed(this, String.valueOf(cause));
    }

    void close() {
      ChannelHandlerContext ctx = context;
      if (ctx != null && ctx.channel().isOpen()) {
        var _ = ctx.close();
      }
    }
  }
}

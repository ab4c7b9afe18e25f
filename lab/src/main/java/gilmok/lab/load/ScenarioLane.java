package gilmok.lab.load;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoop;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Begins deliveries by the clock and takes each through its steps, on whatever connection is idle.
 * A step's latency counts from when it could have been sent. All methods but the constructor belong
 * to the event loop.
 */
final class ScenarioLane {
  private static final int RESPONSE_BYTES_MAX = 64 * 1024;
  private static final int ERROR_SAMPLE_BYTES = 400;

  private final EventLoop loop;
  private final ScenarioPlan plan;
  private final String run;
  private final ResponseReader reader = new ResponseReader();
  private final Tally tally = new Tally();
  private final ArrayDeque<Line> idle = new ArrayDeque<>();
  private final ArrayDeque<Scenario> ready = new ArrayDeque<>();
  private final CompletableFuture<Tally> ended = new CompletableFuture<>();
  private Lane.Window window = new Lane.Window(0, 0, 0);
  private long begun;
  private long open;
  private int lines;
  private boolean closing;

  /**
   * @param run sets this run's orders apart from those of another
   */
  ScenarioLane(EventLoop loop, ScenarioPlan plan, String run) {
    this.loop = loop;
    this.plan = plan;
    this.run = run;
  }

  Tally tally() {
    return tally;
  }

  CompletableFuture<Tally> ended() {
    return ended;
  }

  Line connect() {
    lines++;
    return new Line();
  }

  void start(Lane.Window when) {
    window = when;
    tick();
  }

  private void tick() {
    if (closing) {
      return;
    }
    long now = System.nanoTime();
    long due = (long) plan.begun(Math.min(now, window.end()) - window.start());
    while (begun < due) {
      open++;
      ready.add(new Scenario(begun++, now));
    }
    pump();
    if (now < window.end()) {
      var _ = loop.schedule(this::tick, 1, TimeUnit.MILLISECONDS);
    } else if (open == 0) {
      ended.complete(tally);
    }
  }

  private void pump() {
    while (!ready.isEmpty() && !idle.isEmpty()) {
      idle.poll().send(ready.poll());
    }
  }

  private void answered(Line line, Scenario scenario, byte[] bytes, int length) {
    long now = System.nanoTime();
    idle.add(line);
    if (scenario.answered(reader.status(), bytes, 0, length)) {
      tally.answer(1);
      tally.everything.recordValue(
          Math.clamp(now - scenario.readyNanos, 0, Tally.LATENCY_NANOS_MAX));
      if (window.measures(scenario.readyNanos)) {
        tally.measure(now - scenario.readyNanos, window.second(scenario.readyNanos));
      }
      if (scenario.step() < Scenario.STEPS) {
        scenario.readyNanos = now;
        ready.addFirst(scenario);
      } else {
        open--;
      }
    } else {
      open--;
      String kind = "step " + scenario.step() + ": status " + reader.status();
      if (!tally.errors.containsKey(kind)) {
        int shown = Math.min(length, ERROR_SAMPLE_BYTES);
        System.err.println(new String(bytes, 0, shown, StandardCharsets.UTF_8));
      }
      tally.error(kind);
    }
    pump();
    if (open == 0 && now >= window.end()) {
      ended.complete(tally);
    }
  }

  void close() {
    closing = true;
    tally.error("unanswered", open);
    ended.complete(tally);
  }

  /** One connection with at most one request under way. */
  final class Line extends ChannelInboundHandlerAdapter {
    private final byte[] bytes = new byte[RESPONSE_BYTES_MAX];
    private int end;
    private @Nullable ChannelHandlerContext context;
    private @Nullable Scenario underWay;

    @Override
    public void channelActive(ChannelHandlerContext ctx) {
      context = ctx;
      idle.add(this);
    }

    void send(Scenario scenario) {
      ChannelHandlerContext ctx = context;
      if (ctx != null) {
        underWay = scenario;
        byte[] request = scenario.request(run, plan.host(), plan.key());
        var _ = ctx.writeAndFlush(Unpooled.wrappedBuffer(request), ctx.voidPromise());
      }
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
      ByteBuf in = (ByteBuf) message;
      int readable = Math.min(in.readableBytes(), bytes.length - end);
      in.readBytes(bytes, end, readable);
      end += readable;
      in.release();
      int length = reader.read(bytes, 0, end);
      if (length == ResponseReader.INCOMPLETE && end < bytes.length) {
        return;
      }
      Scenario scenario = underWay;
      if (length <= 0 || scenario == null) {
        lost("response not understood");
        return;
      }
      underWay = null;
      end = 0;
      answered(this, scenario, bytes, length);
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
      lost("connection closed by the server");
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
      lost(String.valueOf(cause));
    }

    private void lost(String why) {
      ChannelHandlerContext ctx = context;
      if (ctx == null || closing) {
        return;
      }
      context = null;
      idle.remove(this);
      tally.error(why);
      open -= underWay == null ? 0 : 1;
      var _ = ctx.close();
      if (--lines == 0) {
        ended.complete(tally);
      }
    }
  }
}

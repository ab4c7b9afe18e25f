package gilmok.lab.fleet;

import gilmok.lab.load.LoadRun;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.handler.codec.http.HttpClientCodec;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A fleet that moves in real time and sends to a server, on one thread of its own, until it is
 * closed. Thread-safe.
 */
final class FleetRun implements AutoCloseable {
  private static final int TICK_MILLIS = 20;
  private static final int ANSWER_BYTES_MAX = 1 << 20;

  private final FixCounts account = new FixCounts();
  private final EventLoopGroup group;
  private final Sender sender;
  private final int riders;
  private volatile @Nullable Throwable bug;

  /** Builds the city and the fleet, and starts it. */
  static FleetRun start(
      Fleet.Plan plan, FleetTarget target, List<AppDialect> dialects, int connections)
      throws IOException {
    return start(plan, target, dialects, connections, _ -> {});
  }

  /**
   * The same, with a watcher.
   *
   * @param watcher called for each phone after each of its fixes, on the fleet's thread
   */
  static FleetRun start(
      Fleet.Plan plan,
      FleetTarget target,
      List<AppDialect> dialects,
      int connections,
      Consumer<Phone> watcher)
      throws IOException {
    return new FleetRun(new Fleet(plan, watcher), plan, target, dialects, connections);
  }

  private FleetRun(
      Fleet fleet, Fleet.Plan plan, FleetTarget target, List<AppDialect> dialects, int connections)
      throws IOException {
    riders = plan.riders();
    SslContext encryption = target.encrypted() ? SslContextBuilder.forClient().build() : null;
    group = LoadRun.loops(1);
    EventLoop loop = group.next();
    sender =
        new Sender(
            fleet,
            target,
            dialects,
            connections,
            line -> bootstrap(loop, line, target, encryption),
            account,
            plan.seed());
    var _ =
        loop.scheduleWithFixedDelay(
            () -> tick(System.currentTimeMillis()), 0, TICK_MILLIS, TimeUnit.MILLISECONDS);
  }

  private void tick(long nowMillis) {
    try {
      sender.tick(nowMillis);
    } catch (RuntimeException found) {
      bug = found;
      throw found;
    }
  }

  private static Bootstrap bootstrap(
      EventLoop loop, Line line, FleetTarget target, @Nullable SslContext encryption) {
    return LoadRun.bootstrap(loop)
        .handler(
            new ChannelInitializer<Channel>() {
              @Override
              protected void initChannel(Channel channel) {
                if (encryption != null) {
                  channel
                      .pipeline()
                      .addLast(
                          encryption.newHandler(channel.alloc(), target.host(), target.port()));
                }
                channel
                    .pipeline()
                    .addLast(
                        new HttpClientCodec(), new HttpObjectAggregator(ANSWER_BYTES_MAX), line);
              }
            });
  }

  FixCounts account() {
    return account;
  }

  int riders() {
    return riders;
  }

  /** The problem that ends the run early; null if there is none. */
  @Nullable String trouble() {
    Throwable found = bug;
    return found != null ? "the simulation failed: " + found : sender.objection();
  }

  @Override
  public void close() {
    group.next().execute(sender::close);
    var _ = group.shutdownGracefully(0, 5, TimeUnit.SECONDS);
    try {
      var _ = group.awaitTermination(10, TimeUnit.SECONDS);
    } catch (InterruptedException hurried) {
      Thread.currentThread().interrupt();
    }
  }
}

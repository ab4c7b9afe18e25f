package gilmok.http;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The handler of the listening socket: closes connections over the limit, and puts a {@link
 * ConnectionGuard} first in the pipeline of the others. Runs on the accepting thread.
 */
@Sharable
final class ConnectionLimiter extends ChannelInboundHandlerAdapter {
  private final AtomicInteger connections = new AtomicInteger();
  private final Map<EventLoop, EventLoopState> loops = new ConcurrentHashMap<>();
  private final int connectionsMax;
  private final ConnectionTimeouts timeouts;

  ConnectionLimiter(int connectionsMax, ConnectionTimeouts timeouts) {
    this.connectionsMax = connectionsMax;
    this.timeouts = timeouts;
  }

  void add(EventLoopState loop) {
    loops.put(loop.executor, loop);
  }

  int connections() {
    return connections.get();
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object accepted) {
    Channel channel = (Channel) accepted;
    if (connections.incrementAndGet() > connectionsMax) {
      connections.decrementAndGet();
      channel.unsafe().closeForcibly();
      return;
    }
    channel.closeFuture().addListener(closed -> connections.decrementAndGet());
    channel.pipeline().addFirst(new Welcome());
    context.fireChannelRead(channel);
  }

  /**
   * A handler that waits until the connection has its event loop, and then puts the guard in its
   * own place.
   */
  private final class Welcome extends ChannelInboundHandlerAdapter {
    @Override
    public void handlerAdded(ChannelHandlerContext context) {
      Channel channel = context.channel();
      EventLoopState loop = loops.get(channel.eventLoop());
      if (loop == null) {
        channel.unsafe().closeForcibly();
        return;
      }
      channel.config().setOption(ChannelOption.ALLOW_HALF_CLOSURE, true);
      context.pipeline().addFirst(new ConnectionGuard(channel, loop, timeouts));
      context.pipeline().remove(this);
    }
  }
}

package gilmok.lab.load;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import org.jspecify.annotations.Nullable;

/**
 * One connection to the server, with up to {@code depth} pipelined requests, which are answered in
 * order. Owned by its lane's event loop.
 */
final class Connection extends ChannelInboundHandlerAdapter {
  private final LoadLane lane;
  private final Response response;
  private final LoadExchange[] asked;
  private final long[] fromNanos;
  private @Nullable ChannelHandlerContext context;
  private int head;
  private int underWay;

  Connection(LoadLane lane, int depth, Response response) {
    this.lane = lane;
    this.response = response;
    this.asked = new LoadExchange[depth];
    this.fromNanos = new long[depth];
  }

  @Override
  public void handlerAdded(ChannelHandlerContext ctx) {
    context = ctx;
  }

  int underWay() {
    return underWay;
  }

  boolean full() {
    return underWay == asked.length;
  }

  /** Writes a request without flushing it; its latency counts from {@code from}. */
  void write(LoadExchange exchange, long from) {
    ChannelHandlerContext ctx = context;
    if (ctx == null || full()) {
      throw new IllegalStateException("not connected, or full");
    }
    int slot = (head + underWay) % asked.length;
    asked[slot] = exchange;
    fromNanos[slot] = from;
    underWay++;
    byte[] request = exchange.request();
    ByteBuf buffer = ctx.alloc().directBuffer(request.length).writeBytes(request);
    // The void promise reports a failure to exceptionCaught.
    var _ = ctx.write(buffer, ctx.voidPromise());
  }

  void flush() {
    if (context != null) {
      context.flush();
    }
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    ByteBuf in = (ByteBuf) message;
    try {
      while (in.isReadable()) {
        if (underWay == 0) {
          lane.failed(this, "response nobody asked for");
          return;
        }
        if (!response.take(in)) {
          continue;
        }
        if (response.isBroken()) {
          lane.failed(this, "response not understood");
          return;
        }
        int slot = head;
        head = head + 1 == asked.length ? 0 : head + 1;
        underWay--;
        lane.answered(this, asked[slot], fromNanos[slot], response);
        response.clear();
      }
    } finally {
      in.release();
    }
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext ctx) {
    ctx.flush();
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) {
    lane.failed(this, "connection closed by the server");
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    lane.failed(this, String.valueOf(cause));
  }

  void close() {
    ChannelHandlerContext ctx = context;
    if (ctx != null && ctx.channel().isOpen()) {
      var _ = ctx.close();
    }
  }
}

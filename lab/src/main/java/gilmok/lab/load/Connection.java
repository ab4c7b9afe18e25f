package gilmok.lab.load;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import org.jspecify.annotations.Nullable;

/**
 * One connection to the server: up to {@code depth} requests under way, answered in order. Each has
 * a buffer that is used again once it has been written and answered. Owned by its lane's event
 * loop.
 */
final class Connection extends ChannelInboundHandlerAdapter {
  private final Lane lane;
  private final ByteBuf[] buffers;
  private final long[] sentNanos;
  private @Nullable ChannelHandlerContext context;
  private byte[] partial = new byte[0];
  private int head;
  private int underWay;

  Connection(Lane lane, int depth, int requestLength) {
    this.lane = lane;
    this.buffers = new ByteBuf[depth];
    this.sentNanos = new long[depth];
    for (int i = 0; i < depth; i++) {
      buffers[i] = Unpooled.directBuffer(requestLength, requestLength);
    }
  }

  @Override
  public void handlerAdded(ChannelHandlerContext ctx) {
    context = ctx;
  }

  int underWay() {
    return underWay;
  }

  boolean full() {
    return underWay == buffers.length;
  }

  /** Writes a request without flushing it; its latency counts from the given time. */
  boolean write(byte[] request, long fromNanos) {
    ChannelHandlerContext ctx = context;
    if (ctx == null || full()) {
      throw new IllegalStateException("not connected, or full");
    }
    int slot = (head + underWay) % buffers.length;
    ByteBuf buffer = buffers[slot];
    if (buffer.refCnt() != 1) {
      lane.failed(this, "answered before the request was written");
      return false;
    }
    buffer.clear().writeBytes(request).retain();
    sentNanos[slot] = fromNanos;
    underWay++;
    // The void promise reports a failure to exceptionCaught.
    var _ = ctx.write(buffer, ctx.voidPromise());
    return true;
  }

  void flush() {
    if (context != null) {
      context.flush();
    }
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    ByteBuf in = (ByteBuf) message;
    byte[] bytes = lane.scratch();
    int end = partial.length;
    int readable = in.readableBytes();
    if (end + readable > bytes.length) {
      in.release();
      lane.failed(this, "response too long");
      return;
    }
    System.arraycopy(partial, 0, bytes, 0, end);
    in.readBytes(bytes, end, readable);
    in.release();
    end += readable;
    int offset = 0;
    while (offset < end) {
      int length = lane.reader().read(bytes, offset, end);
      if (length == ResponseReader.INCOMPLETE) {
        break;
      }
      if (length == ResponseReader.BROKEN || underWay == 0) {
        lane.failed(this, length < 0 ? "response not understood" : "response nobody asked for");
        return;
      }
      long fromNanos = sentNanos[head];
      head = head + 1 == buffers.length ? 0 : head + 1;
      underWay--;
      lane.answered(this, fromNanos, bytes, offset, length);
      offset += length;
    }
    keep(bytes, offset, end);
  }

  private void keep(byte[] bytes, int offset, int end) {
    if (offset < end || partial.length > 0) {
      partial = new byte[end - offset];
      System.arraycopy(bytes, offset, partial, 0, partial.length);
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

  /** Closes the connection and lets go of its buffers. */
  void close() {
    ChannelHandlerContext ctx = context;
    if (ctx != null && ctx.channel().isOpen()) {
      var _ = ctx.close();
    }
    for (ByteBuf buffer : buffers) {
      if (buffer.refCnt() > 0) {
        buffer.release();
      }
    }
  }
}

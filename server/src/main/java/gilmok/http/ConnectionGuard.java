package gilmok.http;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import java.io.IOException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Stands first in a connection's pipeline and cuts off who is slow: a head that does not get
 * complete, a body that does not, an answer that is not taken, a connection without requests. It
 * notes only what changes; the loop's sweep looks at the clock.
 *
 * <p>Belongs to the connection's event loop.
 */
final class ConnectionGuard extends ChannelInboundHandlerAdapter
    implements EventLoopState.Connection {
  private static final long NOT_YET = Long.MIN_VALUE;

  final EventLoopState loop;
  final Channel channel;
  private final ConnectionTimeouts timeouts;
  private @Nullable OpenRequest open;
  private boolean closed;
  private boolean full;
  private boolean multiplexed;
  private boolean priorKnowledge;
  private boolean awaitsPreface;

  /** The last answer is on its way: nothing that comes behind its request is read. */
  private boolean ending;

  /** The client has said that it sends nothing more, and may still read. */
  private boolean inputEnded;

  private long headSince = NOT_YET;
  private long idleSince;
  private long stalledSince = NOT_YET;
  private long lastUnwritten;

  /** A request of the connection that is not through yet, as the connection looks after it. */
  abstract static class OpenRequest {
    private @Nullable OpenRequest next;
    private @Nullable OpenRequest previous;

    /** There is room for answers again: gives the one that was held back. */
    abstract void writable();

    /**
     * Whether all of it has come, and its answer will come soon: it is no stream without an end,
     * and no long work, which ends when nobody waits for it.
     */
    abstract boolean isAnsweredSoon();

    /** The connection is no more. */
    abstract void gone();

    /** The listener stops: ends a reply that would go on. */
    abstract void endStream();

    /** Looks whether it is too slow. */
    abstract void sweep(long now);
  }

  ConnectionGuard(Channel channel, EventLoopState loop, ConnectionTimeouts timeouts) {
    this.channel = channel;
    this.loop = loop;
    this.timeouts = timeouts;
    this.idleSince = loop.coarseNanos();
  }

  @Override
  public void channelActive(ChannelHandlerContext context) throws Exception {
    loop.add(this);
    super.channelActive(context);
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    if (headSince == NOT_YET && open == null && !multiplexed) {
      headSince = loop.coarseNanos();
      priorKnowledge = message instanceof ByteBuf bytes && isPreface(bytes);
    }
    boolean wasAwaited = awaitsPreface;
    context.fireChannelRead(message);
    if (wasAwaited && awaitsPreface) {
      awaitsPreface = false;
      goOn();
    }
  }

  /** Whether HTTP/2 begins here: RFC 9113, 3.4. No method of HTTP/1 begins so. */
  private static boolean isPreface(ByteBuf bytes) {
    int at = bytes.readerIndex();
    return bytes.readableBytes() >= 3
        && bytes.getByte(at) == 'P'
        && bytes.getByte(at + 1) == 'R'
        && bytes.getByte(at + 2) == 'I';
  }

  /**
   * Answers that were held back go on. At once: if they waited for their turn, all connections of
   * the loop could meanwhile have requests taken apart and waiting.
   */
  @Override
  public void channelWritabilityChanged(ChannelHandlerContext context) throws Exception {
    if (channel.isWritable()) {
      leaveFull();
      goOn();
    }
    super.channelWritabilityChanged(context);
  }

  private void goOn() {
    each(
        request -> {
          if (channel.isWritable()) {
            request.writable();
          }
        });
  }

  /** Does something with each request, which may end it. */
  private void each(Consumer<OpenRequest> action) {
    for (OpenRequest request = open; request != null; ) {
      OpenRequest after = request.next;
      action.accept(request);
      request = after;
    }
  }

  /**
   * The client sends nothing more, and may still read: what it has asked is answered, then the
   * connection is closed. It counts as gone where half of a request is here, or where an answer
   * goes on without an end or takes long work: the same is seen of one that has closed altogether.
   */
  @Override
  public void userEventTriggered(ChannelHandlerContext context, Object event) throws Exception {
    super.userEventTriggered(context, event);
    if (event instanceof ChannelInputShutdownEvent) {
      inputEnded = true;
      boolean isGone = multiplexed || headSince != NOT_YET;
      for (OpenRequest request = open; request != null; request = request.next) {
        isGone |= !request.isAnsweredSoon();
      }
      if (isGone) {
        cut();
      } else {
        closeIfThroughWithIt();
      }
    }
  }

  /** Not at once: the next request of a pipeline begins when this one has come to its end. */
  private void closeIfThroughWithIt() {
    loop.executor.execute(
        () -> {
          if (open == null) {
            close();
          }
        });
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) throws Exception {
    closed = true;
    leaveFull();
    loop.remove(this);
    each(OpenRequest::gone);
    super.channelInactive(context);
  }

  /** A reset by the peer is no news for anybody behind; they hear of the close. */
  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    if (cause instanceof IOException) {
      cut();
    } else {
      context.fireExceptionCaught(cause);
    }
  }

  /** A head is complete. */
  void begin(OpenRequest request) {
    headSince = NOT_YET;
    request.next = open;
    if (open != null) {
      open.previous = request;
    }
    open = request;
  }

  /** A request is read to its end, or given up, and answered. */
  void end(OpenRequest request) {
    if (request.previous != null) {
      request.previous.next = request.next;
    } else if (open == request) {
      open = request.next;
    }
    if (request.next != null) {
      request.next.previous = request.previous;
    }
    request.next = null;
    request.previous = null;
    idleSince = loop.coarseNanos();
    if (inputEnded && open == null && !closed) {
      closeIfThroughWithIt();
    }
  }

  /** The connection ends with the answer that is being sent. */
  void endWithThis() {
    ending = true;
  }

  boolean isEnding() {
    return ending;
  }

  /**
   * HTTP/2: bytes between requests are frames of the connection and begin no head. A client that
   * came to it by an upgrade in clear text has its first answer held back until it has sent its
   * preface: curl and the JDK's client take only some kilobytes together with the 101.
   */
  void multiplexed(boolean clearText) {
    multiplexed = true;
    headSince = NOT_YET;
    awaitsPreface = clearText && !priorKnowledge;
  }

  /**
   * So many answers are not taken yet that the next has to wait. Where too many connections are
   * like that, this one is cut off.
   */
  boolean isFull() {
    if (closed || (channel.isWritable() && !awaitsPreface)) {
      return false;
    }
    if (!full && !awaitsPreface) {
      full = loop.enterFull();
      if (!full) {
        cut();
      }
    }
    return true;
  }

  private void leaveFull() {
    if (full) {
      full = false;
      loop.leaveFull();
    }
  }

  boolean isClosed() {
    return closed;
  }

  /** Closes when everything is written. */
  @SuppressWarnings("FutureReturnValueIgnored") // channelInactive tells
  void close() {
    channel.close();
  }

  @Override
  public void closeIfIdle() {
    each(OpenRequest::endStream);
    // Not one whose first request may be on its way, nor one with half a head: they are told that
    // the server stops.
    boolean isAsking = headSince != NOT_YET || loop.coarseNanos() == idleSince;
    if (open == null && unwritten() == 0 && !isAsking) {
      close();
    }
  }

  @Override
  public void sweep(long now) {
    each(request -> request.sweep(now));
    long idle = open == null && lastUnwritten == 0 ? now - idleSince : 0;
    if (isStalled(now)
        || (headSince != NOT_YET && now - headSince > timeouts.headNanos())
        || idle > timeouts.idleNanos() + timeouts.headNanos()) {
      cut();
    } else if (idle > timeouts.idleNanos()) {
      close();
    }
  }

  @Override
  @SuppressWarnings("FutureReturnValueIgnored") // channelInactive tells
  public void cut() {
    channel.unsafe().close(channel.newPromise());
  }

  private boolean isStalled(long now) {
    long unwritten = unwritten();
    if (unwritten == 0 || unwritten < lastUnwritten) {
      stalledSince = NOT_YET;
    } else if (stalledSince == NOT_YET) {
      stalledSince = now;
    }
    lastUnwritten = unwritten;
    return stalledSince != NOT_YET && now - stalledSince > timeouts.bodyNanos();
  }

  private long unwritten() {
    ChannelOutboundBuffer buffer = channel.unsafe().outboundBuffer();
    return buffer == null ? 0 : buffer.totalPendingWriteBytes();
  }
}

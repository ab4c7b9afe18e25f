package gilmok.http;

import gilmok.auth.Principal;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.internal.buffer.BufferInternal;
import java.io.IOException;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The first handler in a connection's pipeline. It cuts off slow clients: a head or a body that
 * does not become complete, an answer that is not read, a connection without requests. Its handlers
 * only note what has changed; the event loop's sweep checks the time.
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

  /** The last answer is being sent: whatever follows its request is not read. */
  private boolean ending;

  /** The client has closed its sending side; it may still read. */
  private boolean inputEnded;

  private long headSince = NOT_YET;
  private long idleSince;
  private long stalledSince = NOT_YET;
  private long lastUnwritten;

  /** The caller of the last request; null before it was asked for. */
  private @Nullable CallerMeter caller;

  private @Nullable Principal callerPrincipal;
  private @Nullable String callerAgent;

  /** Bytes of HTTP/2 answers for which the client has opened no window yet. */
  private long unread;

  /** A request of the connection that is not finished, as the connection sees it. */
  abstract static class OpenRequest {
    private @Nullable OpenRequest next;
    private @Nullable OpenRequest previous;

    /** The client can take answers again: sends the one that was held back. */
    abstract void writable();

    /**
     * Whether the whole request has arrived and its answer will come soon: false for a stream
     * without an end, and for long work, which is cancelled when its client is gone.
     */
    abstract boolean isAnsweredSoon();

    /** The connection is closed. */
    abstract void gone();

    /** The listener stops: ends a streamed reply. */
    abstract void endStream();

    /** Cuts the request off if it is too slow. */
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
    }
    context.fireChannelRead(message);
  }

  /**
   * Sends the answers that were held back. It does so at once: otherwise all connections of the
   * loop could first parse more requests, and hold them too.
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

  /** Applies an action to each open request. The action may end the request. */
  private void each(Consumer<OpenRequest> action) {
    for (OpenRequest request = open; request != null; ) {
      OpenRequest after = request.next;
      action.accept(request);
      request = after;
    }
  }

  /**
   * The client has closed its sending side; it may still read. Its requests are answered, then the
   * connection is closed. The client counts as gone if a request is incomplete, or if an answer is
   * an endless stream or takes long work: a client that has closed both sides looks the same.
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

  /**
   * Closes the connection when no request is left, but not at once: a pipelined request may begin
   * as soon as this one has ended.
   */
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

  /**
   * Cuts the connection off on an I/O error. The handlers behind need not see the error, as they
   * see the close.
   */
  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    if (cause instanceof IOException) {
      cut();
    } else {
      context.fireExceptionCaught(cause);
    }
  }

  /** Registers a request whose head is complete. */
  void begin(OpenRequest request) {
    headSince = NOT_YET;
    request.next = open;
    if (open != null) {
      open.previous = request;
    }
    open = request;
  }

  /** Removes a request that was answered, and read to its end or given up. */
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

  /** The answer that is being sent is the connection's last. */
  void endWithThis() {
    ending = true;
  }

  boolean isEnding() {
    return ending;
  }

  /**
   * The connection is HTTP/2: bytes between requests are the connection's frames and do not begin a
   * head.
   */
  void multiplexed() {
    multiplexed = true;
    headSince = NOT_YET;
  }

  /**
   * Whether the client has left so much unread that the next answer has to wait. If too many
   * connections are in that state, this one is cut off.
   */
  boolean isFull() {
    if (closed || channel.isWritable()) {
      return false;
    }
    if (!full) {
      full = loop.enterFull();
      if (!full) {
        cut();
      }
    }
    return true;
  }

  /**
   * Ends an answer of HTTP/2, which keeps what its client opens no window for. So that is counted;
   * and the connection is cut when the clients together, or this one alone, leave too much unread.
   */
  void endWithinWindow(HttpServerResponse response, ByteBuf body, AdmissionLimit limit) {
    int bytes = body.readableBytes();
    if (!limit.keeps(unread, bytes)) {
      body.release();
      cut();
      return;
    }
    unread += bytes;
    response
        .end(BufferInternal.buffer(body))
        .onComplete(
            _ -> {
              unread -= bytes;
              limit.keepsNoMore(bytes);
            });
  }

  /** The meter of a request's caller, who mostly is the one of the request before. */
  CallerMeter caller(
      RequestMeter meter, @Nullable Principal principal, @Nullable String userAgent) {
    CallerMeter known = caller;
    if (known == null
        || !Objects.equals(principal, callerPrincipal)
        || !Objects.equals(userAgent, callerAgent)) {
      known = meter.caller(principal, userAgent);
      caller = known;
      callerPrincipal = principal;
      callerAgent = userAgent;
    }
    return known;
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

  /** Closes after everything is written. */
  @SuppressWarnings("FutureReturnValueIgnored") // channelInactive tells
  void close() {
    channel.close();
  }

  @Override
  public void closeIfIdle() {
    each(OpenRequest::endStream);
    // Spares a connection whose first request may be on its way, or whose head is incomplete: its
    // client is to be answered that the server stops.
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
  @SuppressWarnings("FutureReturnValueIgnored") // channelInactive reports the end
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
    return unread + (buffer == null ? 0 : buffer.totalPendingWriteBytes());
  }
}

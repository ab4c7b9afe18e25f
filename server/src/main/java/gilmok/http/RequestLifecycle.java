package gilmok.http;

import gilmok.compress.ContentCoding;
import gilmok.compress.Decompressor;
import io.netty.buffer.ByteBuf;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.internal.buffer.BufferInternal;
import java.util.Objects;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * The life of one request from its head to its end: its body is read into an array, it is handed to
 * its handler and answered, and its room is given back exactly once. Belongs to its connection's
 * event loop.
 */
final class RequestLifecycle extends ConnectionGuard.OpenRequest implements ResponseOwner {
  private static final long NO_DEADLINE = Long.MAX_VALUE;

  /** The stages of a request. */
  private enum Stage {
    /** Its body is being read. */
    READING,
    /** The handler has it. */
    HANDED,
    /** It is answered; the rest of its body is dropped as it arrives. */
    LINGERING,
    /** It is answered and read to its end, or its client is gone. */
    DONE
  }

  final HttpRequest request;
  final RequestBody body;
  final HttpResponse response;
  final HttpExchange exchange;
  private final ExchangeContext context;
  private final ConnectionGuard guard;
  private Stage stage = Stage.READING;
  private long deadline;

  /** The content coding of the body. */
  ContentCoding coding = ContentCoding.IDENTITY;

  /**
   * Checks the key in the body once the body is there; until then the body must be small. Null
   * where the key is not expected in the body.
   */
  @Nullable BiFunction<RequestLifecycle, Route, @Nullable Refusal> awaiting;

  /** What is wrong with the names in the query; null when nothing is. */
  @Nullable QueryCheck wrongQuery;

  /** Whether it takes one of the places for requests in flight. */
  private boolean isIn;

  private boolean read;
  private long dropped;

  RequestLifecycle(ExchangeContext context, ConnectionGuard guard, HttpServerRequest head) {
    this.context = context;
    this.guard = guard;
    request = new HttpRequest(head, guard, context.meter, context.callers);
    body = new RequestBody(context.admissionLimit);
    response = new HttpResponse(context, guard, request, this);
    exchange = new HttpExchange(request, body, response, context.keyNames);
    deadline = response.began + context.timeouts.bodyNanos();
    guard.begin(this);
    head.handler(this::chunk);
    head.endHandler(this::end);
    head.exceptionHandler(this::broken);
    if (request.isHttp2()) {
      head.response().exceptionHandler(reset -> gone());
    }
  }

  /** How long requests wait for this one's event loop; measured while there are any. */
  QueueDelay queueDelay() {
    QueueDelay delay = guard.loop.queueDelay;
    delay.look(guard.loop.executor);
    return delay;
  }

  /** How long the body may become before its key is checked, or the request is refused. */
  int bodyBytesMax(Route route) {
    return awaiting != null
        ? Math.min(ConnectionTimeouts.FORM_BYTES_MAX, route.readBytesMax())
        : route.readBytesMax();
  }

  /** Refuses, with a field and a reason as exact as the head and its route allow. */
  void refuse(Refusal refusal) {
    response.closing |= refusal == Refusal.MALFORMED;
    RefusalDetail detail = RefusalDetail.of(refusal, request, wrongQuery);
    if (detail == null) {
      exchange.refuse(refusal);
    } else {
      exchange.refuse(refusal, detail.field(), detail.reason());
    }
  }

  private void chunk(Buffer buffer) {
    try {
      take(((BufferInternal) buffer).unwrap());
    } catch (Throwable bug) {
      response.failed(bug);
    }
  }

  private void take(ByteBuf chunk) {
    Route route = request.route;
    int length = chunk.readableBytes();
    request.received(length);
    if (stage != Stage.READING || route == null) {
      drop(length);
      return;
    }
    int total = body.length() + length;
    if (awaiting != null && total > ConnectionTimeouts.FORM_BYTES_MAX) {
      body.add(
          chunk.readSlice(ConnectionTimeouts.FORM_BYTES_MAX - body.length()),
          request.declared,
          route.readBytesMax());
      awaitNoMore(route, length);
      if (stage != Stage.READING) {
        return;
      }
    }
    if (total < 0 || total > route.readBytesMax()) {
      over(route, chunk);
    } else if (total != request.declared && !body.share(request, total)) {
      dropped = length;
      exchange.refuse(
          Refusal.TOO_FAST, "body", "too many of this caller's bodies are on their way");
    } else if (!body.hold(route.priority(), total)) {
      dropped = length;
      refuse(Refusal.BUSY);
    } else {
      body.add(chunk, request.declared, route.readBytesMax());
    }
  }

  /**
   * Stops waiting for the rest of a form that is too long; the key has to be in the part that has
   * arrived.
   */
  private void awaitNoMore(Route route, int length) {
    Refusal refusal = identify(route);
    awaiting = null;
    body.leaveShare(); // until here the quota was the address's, from here on it is the key's
    if (refusal != null) {
      dropped = length;
      refuse(refusal);
    }
  }

  private @Nullable Refusal identify(Route route) {
    return awaiting == null ? null : awaiting.apply(this, route);
  }

  /** Refuses a body that is too long; of a phone's body the beginning is kept. */
  private void over(Route route, ByteBuf chunk) {
    dropped += chunk.readableBytes();
    if (!route.mayBeCut()) {
      refuse(Refusal.TOO_LARGE);
      return;
    }
    body.cut("over " + route.bodyBytesMax() + " bytes");
    if (dropped > ConnectionTimeouts.LINGER_BYTES) {
      // The rest is not waited for: the part that has arrived is answered.
      dropped = 0;
      response.closing = true;
      take(route);
    }
  }

  private void end(@Nullable Void nothing) {
    read = true;
    try {
      if (stage == Stage.READING && request.route != null) {
        take(request.route);
      } else if (stage == Stage.LINGERING) {
        done();
      }
    } catch (Throwable bug) {
      response.failed(bug);
    }
  }

  private void take(Route route) {
    long began = System.nanoTime();
    request.bodyRead(began);
    stage = Stage.HANDED;
    deadline = NO_DEADLINE;
    body.leaveShare();
    try {
      Refusal refusal = identify(route);
      if (refusal == null) {
        isIn = context.admissionLimit.enter(route.priority());
        refusal = isIn ? null : Refusal.BUSY;
      }
      if (refusal != null) {
        refuse(refusal);
      } else if (unpack(route) && isTaken(route)) {
        Objects.requireNonNull(request.route).handler().handle(exchange);
      }
    } catch (Throwable bug) {
      response.failed(bug);
    } finally {
      body.drop();
      request.worked(began);
    }
  }

  /** Decompresses the body; false when the request was refused. */
  private boolean unpack(Route route) {
    if (coding == ContentCoding.IDENTITY || body.fault() != null) {
      return true;
    }
    Decompressor decompressor = guard.loop.decompressor;
    int length = body.unpack(decompressor, coding, route.readBytesMax());
    if (length >= 0) {
      return true;
    }
    boolean isOver = length == Decompressor.OVER;
    if (route.mayBeCut()) {
      body.fault(isOver ? "over " + route.bodyBytesMax() + " bytes" : decompressor.reason());
      return true;
    }
    if (isOver) {
      refuse(Refusal.TOO_LARGE);
    } else {
      exchange.refuse(Refusal.UNREADABLE, "body", decompressor.reason());
    }
    return false;
  }

  /** Drops a body that says nothing, where none is taken; false when it was refused. */
  private boolean isTaken(Route route) {
    if (body.length() == 0 || !route.isWithoutBody()) {
      return true;
    }
    if (!body.saysNothing()) {
      refuse(Refusal.TOO_LARGE);
      return false;
    }
    body.drop();
    return true;
  }

  private void drop(int length) {
    dropped += length;
    if (dropped > ConnectionTimeouts.LINGER_BYTES) {
      cut();
    } else if (!response.closing && dropped > ConnectionTimeouts.KEEP_ALIVE_BYTES) {
      response.closing = true;
      deadline = System.nanoTime() + ConnectionTimeouts.LINGER_NANOS;
    }
  }

  /** The input is no longer HTTP, or the client has reset its HTTP/2 stream. */
  private void broken(Throwable cause) {
    if (stage == Stage.READING && !guard.isClosed() && !request.isHttp2()) {
      refuse(Refusal.MALFORMED);
      guard.channel.flush();
    }
    gone();
  }

  @Override
  void gone() {
    response.streamGone();
    response.answered = true;
    if (stage == Stage.HANDED) {
      // The handler still works on it, and the room is given back when that ends.
      guard.end(this);
      leaveAlone();
      return;
    }
    read = true;
    done();
  }

  /**
   * Tells the handler that the client is gone. Its failure must not keep the connection's other
   * requests from being told.
   */
  private void leaveAlone() {
    try {
      exchange.nobodyAsks();
    } catch (Throwable bug) {
      context.bug(request.route, bug);
    }
  }

  @Override
  boolean isAnsweredSoon() {
    return read && !response.isStreaming() && !exchange.isGoneHeard();
  }

  @Override
  void writable() {
    response.writable();
  }

  @Override
  void endStream() {
    response.endStream();
  }

  @Override
  void sweep(long now) {
    if (deadline != NO_DEADLINE && now - deadline > 0) {
      cut();
    }
  }

  @Override
  public void cut() {
    if (request.isHttp2()) {
      request.head.response().reset();
      gone();
    } else {
      guard.cut();
    }
  }

  @Override
  public void done() {
    if (stage == Stage.DONE) {
      return;
    }
    stage = Stage.DONE;
    body.drop();
    leaveRoom();
    guard.end(this);
    if (response.closing && !request.isHttp2()) {
      guard.close();
    }
  }

  @Override
  public void leaveRoom() {
    body.leaveRoom();
    if (isIn) {
      isIn = false;
      context.admissionLimit.leave();
    }
  }

  @Override
  public void answerWaits() {
    stage = Stage.HANDED;
  }

  @Override
  public void answerTooLate() {
    // One that was answered earlier may still linger, and ends by itself.
    if (stage == Stage.HANDED) {
      stage = Stage.DONE;
    }
  }

  @Override
  public void answerSent() {
    if (read) {
      done();
    } else {
      linger();
    }
  }

  @Override
  public boolean isMuchToCome() {
    return !read
        && (request.declared - body.length() > ConnectionTimeouts.KEEP_ALIVE_BYTES
            || request.isContinueExpected());
  }

  private void linger() {
    stage = Stage.LINGERING;
    body.drop();
    if (response.closing) {
      deadline = System.nanoTime() + ConnectionTimeouts.LINGER_NANOS;
    }
  }
}

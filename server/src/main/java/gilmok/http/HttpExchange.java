package gilmok.http;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.internal.buffer.BufferInternal;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * One request from its head to its reply: reads the body into an array, hands it over, answers, and
 * gives the room back exactly once. Belongs to its connection's event loop; replies from other
 * threads are brought there.
 */
final class HttpExchange extends Asked {
  private static final long NO_DEADLINE = Long.MAX_VALUE;

  /** Where a request stands. */
  private enum Stage {
    /** Its body is being read. */
    READING,
    /** The handler has it. */
    HANDED,
    /** It is answered, and what is left of its body is dropped as it comes. */
    LINGERING,
    /** It is answered and read, or its sender is gone. */
    DONE
  }

  @Nullable HttpExchange next;
  @Nullable HttpExchange previous;
  private final Reception reception;
  private final ConnectionGuard guard;
  private final HttpServerResponse response;
  private final long began = System.nanoTime();
  private Stage stage = Stage.READING;
  private long deadline;
  @Nullable Route route;
  private @Nullable HttpStream stream;
  private Coding coding = Coding.IDENTITY;
  private boolean keyAwaited;
  private boolean holdsRoom;
  private long heldBytes;
  private boolean answered;
  private boolean read;
  private boolean closing;
  private @Nullable Runnable heldBack;
  private long dropped;

  HttpExchange(Reception reception, ConnectionGuard guard, HttpServerRequest request) {
    super(new Head(request));
    this.reception = reception;
    this.guard = guard;
    this.response = request.response();
    this.deadline = began + reception.limits.bodyNanos();
    guard.begin(this);
    request.handler(this::chunk);
    request.endHandler(this::end);
    request.exceptionHandler(this::broken);
    if (head.isHttp2()) {
      response.exceptionHandler(reset -> gone());
    }
  }

  void matched(Router.Paths paths, @Nullable Route route) {
    head.matched(paths);
    this.route = route;
  }

  void holdRoom(long bytes) {
    holdsRoom = true;
    heldBytes = bytes;
  }

  void packedAs(Coding coding) {
    this.coding = coding;
  }

  /** The key will be in the body, which must be small until it is known. */
  void awaitKey() {
    keyAwaited = true;
  }

  /** How long the body may become before somebody looks at it. */
  int bodyBytesMax(Route asked) {
    return keyAwaited
        ? Math.min(Limits.FORM_BYTES_MAX, asked.bodyBytesMax())
        : asked.bodyBytesMax();
  }

  HttpServerResponse response() {
    return response;
  }

  private void chunk(Buffer buffer) {
    ByteBuf chunk = ((BufferInternal) buffer).unwrap();
    int length = chunk.readableBytes();
    if (stage != Stage.READING || route == null) {
      drop(length);
      return;
    }
    int total = body.length() + length;
    if (keyAwaited && total > Limits.FORM_BYTES_MAX) {
      body.add(
          chunk.readSlice(Limits.FORM_BYTES_MAX - body.length()),
          head.declared,
          route.bodyBytesMax());
      awaitNoMore(route, length);
      if (stage != Stage.READING) {
        return;
      }
    }
    if (total < 0 || total > route.bodyBytesMax()) {
      over(route, chunk);
    } else if (total > heldBytes && !reception.room.more(route.priority(), total - heldBytes)) {
      dropped = length;
      refuse(Refusal.BUSY);
    } else {
      heldBytes = Math.max(heldBytes, total);
      body.add(chunk, head.declared, route.bodyBytesMax());
    }
  }

  /** The key has to be in what is here of a form that becomes too long to wait for. */
  private void awaitNoMore(Route asked, int length) {
    keyAwaited = false;
    Refusal refusal = reception.identify(this, asked);
    if (refusal != null) {
      dropped = length;
      Reception.refuse(this, refusal);
    }
  }

  /** What is over the bound is refused; of a phone's body the start is kept. */
  private void over(Route asked, ByteBuf chunk) {
    dropped += chunk.readableBytes();
    if (!Reception.mayBeCut(asked)) {
      refuseAsTooLarge(asked);
      return;
    }
    fault("over " + asked.bodyBytesMax() + " bytes");
    if (dropped > Limits.LINGER_BYTES) {
      // It is not waited for any longer: what came of it is answered.
      dropped = 0;
      closing = true;
      take(asked);
    }
  }

  private void end(@Nullable Void nothing) {
    read = true;
    if (stage == Stage.READING && route != null) {
      take(route);
    } else if (stage == Stage.LINGERING) {
      done();
    }
  }

  private void take(Route asked) {
    stage = Stage.HANDED;
    deadline = NO_DEADLINE;
    Refusal refusal = keyAwaited ? reception.identify(this, asked) : null;
    if (refusal != null) {
      Reception.refuse(this, refusal);
    } else if (unpack(guard.loop.unpacker, coding, asked)) {
      hand(asked);
    }
    body.drop();
  }

  /** A bug of one route must not take the event loop along. */
  private void hand(Route route) {
    try {
      route.handler().handle(this);
    } catch (RuntimeException | StackOverflowError e) {
      reception.bug(route, e);
      refuse(Refusal.BROKEN);
    }
  }

  private void drop(int length) {
    dropped += length;
    if (dropped > Limits.LINGER_BYTES) {
      cut();
    } else if (!closing && dropped > Limits.KEEP_ALIVE_BYTES) {
      closing = true;
      deadline = System.nanoTime() + Limits.LINGER_NANOS;
    }
  }

  /** What came is no HTTP any more, or HTTP/2 reset the stream. */
  private void broken(Throwable cause) {
    if (stage == Stage.READING && !guard.isClosed() && !head.isHttp2()) {
      closing = true;
      refuse(Refusal.MALFORMED);
      guard.channel.flush();
    }
    gone();
  }

  /** The connection or the stream is no more. */
  void gone() {
    if (stream != null) {
      stream.gone();
    }
    if (stage == Stage.HANDED) {
      // The handler still works on it: its room is free when that ends.
      answered = true;
      guard.end(this);
      nobodyAsks();
      return;
    }
    read = true;
    answered = true;
    done();
  }

  void sweep(long now) {
    if (deadline != NO_DEADLINE && now - deadline > 0) {
      cut();
    }
  }

  private void cut() {
    if (head.isHttp2()) {
      response.reset();
      gone();
    } else {
      guard.cut();
    }
  }

  private void done() {
    if (stage == Stage.DONE) {
      return;
    }
    stage = Stage.DONE;
    body.drop();
    leaveRoom();
    guard.end(this);
    if (closing && !head.isHttp2()) {
      guard.close();
    }
  }

  private void leaveRoom() {
    if (holdsRoom) {
      holdsRoom = false;
      reception.room.leave(heldBytes);
    }
  }

  @Override
  public void execute(Runnable task) {
    try {
      guard.loop.executor.execute(task);
    } catch (RejectedExecutionException e) {
      // The listener was closed before the handler was done: there is nobody to answer.
    }
  }

  @Override
  public void replyHeader(String name, String value) {
    if (!answered) {
      response.putHeader(name, value);
    }
  }

  @Override
  public void reply(int status, @Nullable String contentType, byte[] bytes) {
    if (!guard.loop.executor.inEventLoop()) {
      execute(() -> reply(status, contentType, bytes));
      return;
    }
    leaveRoom();
    if (answered) {
      stage = Stage.DONE;
      return;
    }
    if (guard.isFull()) {
      // Not answered, and so nothing more is read of an HTTP/1 connection: see
      // Http1ServerConnection.
      stage = Stage.HANDED;
      heldBack = () -> reply(status, contentType, bytes);
      return;
    }
    answered = true;
    send(status, contentType, bytes);
    if (route != null) {
      reception.meter.answered(route, status, System.nanoTime() - began);
    }
    if (read) {
      done();
    } else {
      linger();
    }
  }

  @Override
  public ReplyStream stream(String contentType) {
    boolean isEndless = contentType.equals("text/event-stream");
    HttpStream begun =
        new HttpStream(response, guard.loop.executor, isEndless, this::done, this::cut);
    leaveRoom();
    if (answered || head.request.method().equals(HttpMethod.HEAD)) {
      begun.gone();
      reply(200, contentType, NO_BYTES);
      return begun;
    }
    answered = true;
    stream = begun;
    response.setChunked(true);
    dress(200, contentType);
    response.writeHead();
    if (route != null) {
      reception.meter.answered(route, 200, System.nanoTime() - began);
    }
    return begun;
  }

  /** The listener stops: ends a reply that would go on. */
  void endStream() {
    if (stream != null) {
      closing = true;
      stream.stop();
    }
  }

  /** There is room for answers again: gives the one that was held back. */
  void writable() {
    Runnable answer = heldBack;
    heldBack = null;
    if (answer != null) {
      answer.run();
    }
  }

  private void send(int status, @Nullable String contentType, byte[] bytes) {
    dress(status, contentType);
    if (head.request.method().equals(HttpMethod.HEAD)) {
      response.headers().set(Names.CONTENT_LENGTH, Integer.toString(bytes.length));
      response.end();
    } else if (bytes.length == 0) {
      response.end();
    } else {
      response.end(BufferInternal.buffer(Unpooled.wrappedBuffer(bytes)));
    }
  }

  private void dress(int status, @Nullable String contentType) {
    response.setStatusCode(status);
    if (contentType != null) {
      response.headers().set(Names.CONTENT_TYPE, Names.contentType(contentType));
    }
    reception.cors.dress(this);
    if (closing || reception.isStopping() || (!read && isMuchLeft())) {
      closing = true;
      if (!head.isHttp2()) {
        response.headers().set(Names.CONNECTION, Names.CLOSE);
      }
    }
  }

  private boolean isMuchLeft() {
    return head.declared - body.length() > Limits.KEEP_ALIVE_BYTES || head.isContinueExpected();
  }

  private void linger() {
    stage = Stage.LINGERING;
    body.drop();
    if (closing) {
      deadline = System.nanoTime() + Limits.LINGER_NANOS;
    }
  }

  void refuseAndClose(Refusal refusal) {
    closing = true;
    refuse(refusal);
  }

  @Override
  public void refuse(
      Refusal refusal, @Nullable String field, @Nullable String reason, String members) {
    if (!guard.loop.executor.inEventLoop()) {
      execute(() -> refuse(refusal, field, reason, members));
      return;
    }
    if (!answered) {
      reception.meter.refused(refusal);
      Problem.explain(refusal, response.headers(), head, guard.loop);
    }
    reply(
        refusal.status(),
        Problem.CONTENT_TYPE,
        Problem.of(refusal, head.prefersKorean(), field, reason, members));
  }
}

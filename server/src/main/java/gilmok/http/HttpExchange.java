package gilmok.http;

import gilmok.auth.Principal;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.internal.buffer.BufferInternal;
import java.util.Locale;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * One request from its head to its reply: reads the body into an array, hands it over, answers, and
 * gives the room back exactly once. Belongs to its connection's event loop; replies from other
 * threads are brought there.
 */
final class HttpExchange implements Exchange {
  private static final byte[] NO_BYTES = {};
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
  private final HttpServerRequest request;
  private final HttpServerResponse response;
  private final String path;
  private final long began = System.nanoTime();
  private Stage stage = Stage.READING;
  private long deadline;
  private Router.@Nullable Paths paths;
  private @Nullable Route route;
  private @Nullable Principal principal;
  private Coding coding = Coding.IDENTITY;
  private long declared;
  private boolean holdsRoom;
  private long heldBytes;
  private boolean answered;
  private boolean read;
  private boolean closing;
  private long dropped;
  private byte[] body = NO_BYTES;
  private int bodyOffset;
  private int bodyLength;
  private boolean ownBody;

  HttpExchange(Reception reception, ConnectionGuard guard, HttpServerRequest request, String path) {
    this.reception = reception;
    this.guard = guard;
    this.request = request;
    this.response = request.response();
    this.path = path;
    this.deadline = began + reception.limits.bodyNanos();
    guard.begin(this);
    request.handler(this::chunk);
    request.endHandler(this::end);
    request.exceptionHandler(this::broken);
    if (request.version() == HttpVersion.HTTP_2) {
      response.exceptionHandler(reset -> gone());
    }
  }

  // What the reception finds out before the body is read.

  void matched(Router.Paths paths, @Nullable Route route) {
    this.paths = paths;
    this.route = route;
  }

  void asker(Principal principal) {
    this.principal = principal;
  }

  void holdRoom(long bytes) {
    holdsRoom = true;
    heldBytes = bytes;
  }

  void packedAs(Coding coding) {
    this.coding = coding;
  }

  void declare(long contentLength) {
    declared = contentLength;
  }

  long declared() {
    return declared;
  }

  HttpServerRequest request() {
    return request;
  }

  HttpServerResponse response() {
    return response;
  }

  // The body.

  private void chunk(Buffer buffer) {
    ByteBuf chunk = ((BufferInternal) buffer).unwrap();
    int length = chunk.readableBytes();
    if (stage != Stage.READING || route == null) {
      drop(length);
      return;
    }
    int total = bodyLength + length;
    if (total < 0 || total > route.bodyBytesMax()) {
      dropped = length;
      refuse(Refusal.TOO_LARGE);
    } else if (total > heldBytes && !reception.room.more(route.priority(), total - heldBytes)) {
      dropped = length;
      refuse(Refusal.BUSY);
    } else {
      heldBytes = Math.max(heldBytes, total);
      keep(chunk, length, route.bodyBytesMax());
    }
  }

  /** Keeps the only chunk where it is; copies as soon as there are two. */
  private void keep(ByteBuf chunk, int length, int bytesMax) {
    if (bodyLength == 0 && chunk.hasArray()) {
      body = chunk.array();
      bodyOffset = chunk.arrayOffset() + chunk.readerIndex();
      bodyLength = length;
      ownBody = false;
      return;
    }
    int total = bodyLength + length;
    if (!ownBody || total > body.length) {
      long likely = declared > 0 && declared <= 8L * total ? declared : 2L * total;
      byte[] larger = new byte[(int) Math.max(total, Math.min(likely, bytesMax))];
      System.arraycopy(body, bodyOffset, larger, 0, bodyLength);
      body = larger;
      bodyOffset = 0;
      ownBody = true;
    }
    chunk.getBytes(chunk.readerIndex(), body, bodyLength, length);
    bodyLength = total;
  }

  private void end(@Nullable Void nothing) {
    read = true;
    if (stage == Stage.READING && route != null) {
      stage = Stage.HANDED;
      deadline = NO_DEADLINE;
      if (unpacked(route)) {
        hand(route);
      }
      body = NO_BYTES;
    } else if (stage == Stage.LINGERING) {
      done();
    }
  }

  private boolean unpacked(Route route) {
    if (coding == Coding.IDENTITY) {
      return true;
    }
    Unpacker unpacker = guard.loop.unpacker;
    int length = unpacker.unpack(coding, body, bodyOffset, bodyLength, route.bodyBytesMax());
    if (length == Unpacker.OVER) {
      refuse(Refusal.TOO_LARGE);
    } else if (length == Unpacker.BROKEN) {
      refuse(Refusal.UNREADABLE, "body", unpacker.reason());
    }
    body = unpacker.bytes();
    bodyOffset = 0;
    bodyLength = length;
    return length >= 0;
  }

  @SuppressWarnings("CatchingUnchecked") // a bug of one route must not take the event loop along
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

  // The end, one way or another.

  /** What came is no HTTP any more, or HTTP/2 reset the stream. */
  private void broken(Throwable cause) {
    if (stage == Stage.READING && !guard.isClosed() && request.version() != HttpVersion.HTTP_2) {
      closing = true;
      refuse(Refusal.MALFORMED);
      guard.channel.flush();
    }
    gone();
  }

  /** The connection or the stream is no more. */
  void gone() {
    if (stage == Stage.HANDED) {
      // The handler still works on it: its room is free when that ends.
      answered = true;
      guard.end(this);
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
    if (request.version() == HttpVersion.HTTP_2) {
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
    body = NO_BYTES;
    leaveRoom();
    guard.end(this);
    if (closing && request.version() != HttpVersion.HTTP_2) {
      guard.close();
    }
  }

  private void leaveRoom() {
    if (holdsRoom) {
      holdsRoom = false;
      reception.room.leave(heldBytes);
    }
  }

  // The reply.

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
  public void reply(int status) {
    reply(status, null, NO_BYTES);
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

  private void send(int status, @Nullable String contentType, byte[] bytes) {
    response.setStatusCode(status);
    if (contentType != null) {
      response.headers().set(Names.CONTENT_TYPE, Names.contentType(contentType));
    }
    reception.dress(this);
    if (closing || reception.isStopping() || (!read && isMuchLeft())) {
      closing = true;
      if (request.version() != HttpVersion.HTTP_2) {
        response.headers().set(Names.CONNECTION, Names.CLOSE);
      }
    }
    if (request.method().equals(HttpMethod.HEAD)) {
      response.headers().set(Names.CONTENT_LENGTH, Integer.toString(bytes.length));
      response.end();
    } else if (bytes.length == 0) {
      response.end();
    } else {
      response.end(BufferInternal.buffer(Unpooled.wrappedBuffer(bytes)));
    }
  }

  private boolean isMuchLeft() {
    return declared - bodyLength > Limits.KEEP_ALIVE_BYTES || isContinueExpected();
  }

  boolean isContinueExpected() {
    String expect = request.getHeader(Names.EXPECT);
    return expect != null && expect.equalsIgnoreCase("100-continue");
  }

  private void linger() {
    stage = Stage.LINGERING;
    body = NO_BYTES;
    if (closing) {
      deadline = System.nanoTime() + Limits.LINGER_NANOS;
    }
  }

  void refuseAndClose(Refusal refusal) {
    closing = true;
    refuse(refusal);
  }

  @Override
  public void refuse(Refusal refusal) {
    refuse(refusal, null, null);
  }

  @Override
  public void refuse(Refusal refusal, @Nullable String field, @Nullable String reason) {
    if (!guard.loop.executor.inEventLoop()) {
      execute(() -> refuse(refusal, field, reason));
      return;
    }
    if (!answered) {
      reception.meter.refused(refusal);
      switch (refusal.status()) {
        case 401 -> response.headers().set(Names.WWW_AUTHENTICATE, Names.CHALLENGE);
        case 405 -> {
          if (paths != null) {
            response.headers().set(Names.ALLOW, paths.allow());
          }
        }
        case 415 -> response.headers().set(Names.ACCEPT_ENCODING, Names.CODINGS);
        case 429, 503 ->
            response
                .headers()
                .set(Names.RETRY_AFTER, Names.seconds(guard.loop.retryAfterSeconds()));
        default -> {}
      }
    }
    boolean korean = Problem.prefersKorean(request.getHeader(Names.ACCEPT_LANGUAGE));
    reply(refusal.status(), Problem.CONTENT_TYPE, Problem.of(refusal, korean, field, reason));
  }

  // What was asked.

  @Override
  public String method() {
    return request.method().name();
  }

  @Override
  public String path() {
    return path;
  }

  @Override
  public String pathParameter(String name) {
    if (paths == null) {
      throw new IllegalStateException("no route");
    }
    return Encoded.segment(paths.parameter(path, name));
  }

  @Override
  public @Nullable String query(String name) {
    String uri = request.uri();
    int mark = uri.indexOf('?');
    return mark < 0 ? null : Encoded.parameter(uri.substring(mark + 1), name);
  }

  @Override
  public @Nullable String header(String name) {
    return request.getHeader(name);
  }

  @Override
  public String contentType() {
    String value = request.getHeader(Names.CONTENT_TYPE);
    if (value == null) {
      return "";
    }
    if (value.equals(Names.JSON_TYPE)) {
      return Names.JSON_TYPE;
    }
    int end = value.indexOf(';');
    return (end < 0 ? value : value.substring(0, end)).strip().toLowerCase(Locale.ROOT);
  }

  @Override
  public Principal principal() {
    if (principal == null) {
      throw new IllegalStateException("this route needs no key");
    }
    return principal;
  }

  @Override
  public byte[] bodyBytes() {
    return body;
  }

  @Override
  public int bodyOffset() {
    return bodyOffset;
  }

  @Override
  public int bodyLength() {
    return bodyLength;
  }
}

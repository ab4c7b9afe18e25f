package gilmok.http;

import gilmok.compress.AcceptEncoding;
import gilmok.compress.ContentCoding;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.CompositeByteBuf;
import io.netty.buffer.Unpooled;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.internal.buffer.BufferInternal;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The response to one request: sent once, on its connection's event loop, compressed where that
 * pays, and held back while the client does not read earlier answers.
 *
 * <p>Belongs to that loop; a reply from another thread is compressed on that thread and then handed
 * over to the loop.
 */
final class HttpResponse {
  private static final String CONTENT_ENCODING = "Content-Encoding";
  private static final byte[] NO_BYTES = {};

  final long began = System.nanoTime();
  private final ExchangeContext context;
  private final ConnectionGuard guard;
  private final HttpRequest request;
  private final ResponseOwner owner;

  /** A reply was sent, or the client is gone. */
  boolean answered;

  private boolean sent; // the whole reply was handed to the connection

  /** The connection ends with this reply. */
  boolean closing;

  private final HttpServerResponse response;
  private @Nullable HttpStream stream;
  private @Nullable Runnable heldBack;

  /** The reply is being compressed on another thread. */
  private boolean apart;

  private boolean packedByHandler;

  /** The reply depends on Accept-Encoding. */
  private boolean varies;

  HttpResponse(
      ExchangeContext context, ConnectionGuard guard, HttpRequest request, ResponseOwner owner) {
    this.context = context;
    this.guard = guard;
    this.request = request;
    this.owner = owner;
    this.response = request.head.response();
  }

  /** See {@link Exchange#execute}. */
  void execute(Runnable task) {
    long handedOver = System.nanoTime();
    try {
      guard.loop.executor.execute(() -> runHandedOver(task, handedOver));
    } catch (RejectedExecutionException e) {
      // The listener was closed before the handler was done: no client is left.
    }
  }

  private void runHandedOver(Runnable task, long handedOver) {
    long began = System.nanoTime();
    guard.loop.meter.taskWaited(began - handedOver);
    request.times.add(RequestPart.LOOP, began - handedOver);
    request.times.begin(RequestPart.SERIALISE, began);
    attempt(task);
    request.worked(began);
  }

  /** Runs a task on the event loop. A bug in it is answered, and ends nothing else. */
  void attempt(Runnable task) {
    try {
      task.run();
    } catch (Throwable bug) {
      failed(bug);
    }
  }

  /**
   * Our own code threw: answers with a refusal, unless there is an answer already. If an answer has
   * begun or cannot be sent, the connection or the stream ends. The request gives back its room in
   * any case.
   */
  void failed(Throwable bug) {
    boolean isAnswered = false;
    try {
      context.bug(request.route, bug);
      if (!answered) {
        refuse(Refusal.BROKEN, null, null, "");
      }
      isAnswered = sent || isGiven();
    } catch (Throwable again) {
      context.bug(request.route, again);
    } finally {
      if (!isAnswered) {
        owner.leaveRoom();
        owner.cut();
      }
    }
  }

  /** See {@link Exchange#replyHeader}. */
  void header(String name, String value) {
    if (!answered) {
      packedByHandler |= name.equalsIgnoreCase(CONTENT_ENCODING);
      HeaderNames.put(response.headers(), name, value);
    }
  }

  /** See {@link Exchange#coding}. */
  ContentCoding coding() {
    if (context.compression.level(request.route) == 0) {
      return ContentCoding.IDENTITY;
    }
    varies = true;
    return AcceptEncoding.best(request.head.headers().get(HttpHeaders.ACCEPT_ENCODING));
  }

  /** See {@link Exchange#reply(int, String, byte[])}. */
  void reply(int status, @Nullable String contentType, byte[] bytes) {
    boolean pays = CompressionPolicy.pays(contentType, bytes.length) && !packedByHandler;
    int level = pays ? context.compression.level(request.route) : 0;
    ContentCoding coding = level == 0 ? ContentCoding.IDENTITY : coding();
    if (coding == ContentCoding.IDENTITY) {
      answer(status, contentType, Unpooled.wrappedBuffer(bytes), null);
    } else if (!guard.loop.executor.inEventLoop()) {
      answer(status, contentType, bytes, packedApart(coding, level, bytes));
    } else if (bytes.length <= CompressionPolicy.LOOP_BYTES_MAX) {
      long began = System.nanoTime();
      CompressionPolicy.Packed packed = context.compression.pack(guard.loop, coding, level, bytes);
      request.times.within(RequestPart.COMPRESS, System.nanoTime() - began);
      answer(status, contentType, bytes, packed);
    } else if (!isGiven()) {
      Offload.beside("packing", () -> packApart(status, contentType, bytes, coding, level));
      apart = true;
    }
  }

  /** Compresses on another thread a reply that would delay the loop's other requests too long. */
  private void packApart(
      int status, @Nullable String contentType, byte[] bytes, ContentCoding coding, int level) {
    CompressionPolicy.Packed packed = null;
    try {
      packed = packedApart(coding, level, bytes);
    } catch (Throwable bug) { // it is sent uncompressed: nobody else would answer
      context.bug(request.route, bug);
    }
    CompressionPolicy.Packed found = packed;
    execute(
        () -> {
          apart = false;
          answer(status, contentType, bytes, found);
        });
  }

  private CompressionPolicy.@Nullable Packed packedApart(
      ContentCoding coding, int level, byte[] bytes) {
    long began = System.nanoTime();
    CompressionPolicy.Packed packed = context.compression.pack(null, coding, level, bytes);
    request.compressedApart(System.nanoTime() - began);
    return packed;
  }

  /** See {@link Exchange#reply(int, String, List)}. */
  void reply(int status, String contentType, List<byte[]> pieces) {
    byte[][] arrays = pieces.toArray(byte[][]::new);
    // One component for each array: with fewer, Netty would copy them into one. Unpooled, because a
    // buffer that is never sent, as its client is gone, would never return to its pool.
    ByteBuf joined = Unpooled.wrappedBuffer(Math.max(1, arrays.length), arrays);
    answer(status, contentType, joined, null);
  }

  private void answer(
      int status,
      @Nullable String contentType,
      byte[] bytes,
      CompressionPolicy.@Nullable Packed packed) {
    byte[] shortest = packed == null ? bytes : packed.bytes();
    answer(status, contentType, Unpooled.wrappedBuffer(shortest), packed);
  }

  /**
   * Answers, or holds the answer back until the client has read others.
   *
   * @param packed the compressed body that was made of the given one; null when the body is sent as
   *     given
   */
  private void answer(
      int status,
      @Nullable String contentType,
      ByteBuf body,
      CompressionPolicy.@Nullable Packed packed) {
    if (!guard.loop.executor.inEventLoop()) {
      execute(() -> answer(status, contentType, body, packed));
      return;
    }
    if (isGiven()) {
      return;
    }
    owner.leaveRoom();
    if (answered) {
      owner.answerTooLate();
      return;
    }
    if (guard.isFull()) {
      // While it is not answered, nothing more is read from an HTTP/1 connection: see
      // Http1ServerConnection.
      owner.answerWaits();
      long since = System.nanoTime();
      heldBack =
          () -> {
            request.times.add(RequestPart.CLIENT, System.nanoTime() - since);
            answer(status, contentType, body, packed);
          };
      return;
    }
    answered = true;
    ByteBuf whole =
        packed == null || isStillToBePacked(packed) ? body : Unpooled.wrappedBuffer(packed.plain());
    if (varies) {
      HeaderNames.vary(response.headers(), HeaderNames.BY_CODING);
    }
    int bytes = whole.readableBytes();
    long writing = System.nanoTime();
    request.times.end(writing);
    send(status, contentType, whole);
    sent = true;
    long now = System.nanoTime();
    request.times.add(RequestPart.WRITE, now - writing);
    context.answered(request, status, now - began, bytes);
    owner.answerSent();
  }

  /** Whether a reply exists that is not sent yet. */
  private boolean isGiven() {
    return apart || heldBack != null;
  }

  /**
   * Sets the headers of a compressed body; false when the handler has meanwhile set a coding
   * itself.
   */
  private boolean isStillToBePacked(CompressionPolicy.Packed packed) {
    if (packedByHandler) {
      return false;
    }
    packed.dress(response.headers());
    return true;
  }

  /** See {@link Exchange#stream}. */
  ReplyStream stream(String contentType) {
    boolean isEndless = contentType.equals("text/event-stream");
    HttpStream begun =
        new HttpStream(
            response,
            guard.loop.executor,
            isEndless,
            owner::done,
            owner::cut,
            this::streamFailed,
            request::sent);
    owner.leaveRoom();
    if (answered || request.head.method().equals(HttpMethod.HEAD)) {
      begun.gone();
      reply(200, contentType, NO_BYTES);
      return begun;
    }
    answered = true;
    stream = begun;
    request.times.end(System.nanoTime());
    try {
      response.setChunked(true);
      dress(200, contentType);
      response.writeHead();
    } catch (Throwable notBegun) {
      begun.gone();
      answered = response.headWritten();
      if (answered) {
        owner.cut();
      } else { // so that the caller can still answer this failure
        stream = null;
        response.setChunked(false);
      }
      throw notBegun;
    }
    context.answered(request, 200, System.nanoTime() - began, 0);
    return begun;
  }

  /** The listener stops: ends a streamed reply. */
  void endStream() {
    if (stream != null) {
      closing = true;
      stream.stop();
    }
  }

  /** Whether the reply is a stream without an end of its own. */
  boolean isStreaming() {
    return stream != null && stream.isEndless();
  }

  /** The client no longer reads the stream. */
  void streamGone() {
    if (stream != null) {
      stream.gone();
    }
  }

  private void streamFailed(Throwable bug) {
    context.bug(request.route, bug);
    owner.cut();
  }

  /** The client can take answers again: sends the one that was held back. */
  void writable() {
    Runnable answer = heldBack;
    heldBack = null;
    if (answer != null) {
      attempt(answer);
    }
  }

  private void send(int status, @Nullable String contentType, ByteBuf body) {
    dress(status, contentType);
    int length = body.readableBytes();
    if (request.head.method().equals(HttpMethod.HEAD)) {
      // Unless the handler, which knows better, has set it.
      HeaderNames.setIfAbsent(response.headers(), HttpHeaders.CONTENT_LENGTH, length);
      response.end();
    } else if (length == 0) {
      response.end();
    } else if (request.isHttp2()) {
      guard.endWithinWindow(response, body, context.admissionLimit);
    } else if (body instanceof CompositeByteBuf parts) {
      JoinedBody.end(response, guard.channel.alloc(), parts);
    } else {
      response.end(BufferInternal.buffer(body));
    }
  }

  private void dress(int status, @Nullable String contentType) {
    response.setStatusCode(status);
    if (contentType != null) {
      response.headers().set(HttpHeaders.CONTENT_TYPE, HeaderNames.contentType(contentType));
    }
    context.cors.dress(request, response.headers());
    if (request.isTimingWanted()) {
      response.headers().set("Server-Timing", request.times.header(System.nanoTime() - began));
    }
    if (request.isSecuredByProxy()) {
      // Not where we end TLS ourselves: it would close this host's other ports to plain HTTP.
      response.headers().set(HeaderNames.HSTS, HeaderNames.A_YEAR);
    }
    if (closing || context.isLeaving() || owner.isMuchToCome()) {
      closing = true;
      if (!request.isHttp2()) {
        guard.endWithThis();
        response.headers().set(HttpHeaders.CONNECTION, HeaderNames.CLOSE);
      }
    }
  }

  /** See {@link Exchange#refuse(Refusal, String, String, String)}. */
  void refuse(Refusal refusal, @Nullable String field, @Nullable String reason, String members) {
    refuseWith(
        refusal,
        HeaderNames.PROBLEM_TYPE,
        () -> ProblemDetails.of(refusal, request, field, reason, members));
  }

  /** Refuses with a body that is made only if it is sent. */
  void refuseWith(Refusal refusal, String contentType, Supplier<byte[]> body) {
    if (!guard.loop.executor.inEventLoop()) {
      execute(() -> refuseWith(refusal, contentType, body));
      return;
    }
    if (isGiven()) {
      return;
    }
    if (!answered) {
      context.meter.refused(refusal);
      ProblemDetails.explain(refusal, response.headers(), request, guard.loop);
    }
    reply(refusal.status(), contentType, body.get());
  }
}

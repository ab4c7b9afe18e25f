package gilmok.http;

import gilmok.compress.ContentCoding;
import io.netty.buffer.ByteBuf;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.internal.buffer.BufferInternal;
import org.jspecify.annotations.Nullable;

/**
 * The life of one request from its head to its end: its body is read into an array, it is handed
 * over and answered, and its room is given back exactly once. Belongs to its connection's event
 * loop.
 */
final class HttpExchange extends HttpResponse {
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
  private Stage stage = Stage.READING;
  private long deadline;
  private ContentCoding coding = ContentCoding.IDENTITY;
  private boolean keyAwaited;

  /** One of the places for requests under way is taken. */
  private boolean isIn;

  private long heldBytes;

  /** Whose share holds {@link #sharedBytes}; null while it is not asked of anybody. */
  private BodyQuotas.@Nullable Caller sharer;

  private long sharedBytes;
  private boolean isShareFull;
  private boolean read;
  private long dropped;

  HttpExchange(RequestAdmission admission, ConnectionGuard guard, HttpServerRequest request) {
    super(admission, guard, request);
    this.deadline = began + admission.timeouts.bodyNanos();
    guard.begin(this);
    request.handler(this::chunk);
    request.endHandler(this::end);
    request.exceptionHandler(this::broken);
    if (head.isHttp2()) {
      response().exceptionHandler(reset -> gone());
    }
  }

  void matched(Router.Paths paths, @Nullable Route route) {
    head.matched(paths);
    this.route = route;
  }

  void packedAs(ContentCoding coding) {
    this.coding = coding;
  }

  /** The key will be in the body, which must be small until it is known. */
  void awaitKey() {
    keyAwaited = true;
  }

  /** How long the body may become before somebody looks at it. */
  int bodyBytesMax(Route asked) {
    return keyAwaited
        ? Math.min(ConnectionTimeouts.FORM_BYTES_MAX, asked.bodyBytesMax())
        : asked.bodyBytesMax();
  }

  private void chunk(Buffer buffer) {
    try {
      take(((BufferInternal) buffer).unwrap());
    } catch (Throwable bug) {
      failed(bug);
    }
  }

  private void take(ByteBuf chunk) {
    int length = chunk.readableBytes();
    if (stage != Stage.READING || route == null) {
      drop(length);
      return;
    }
    int total = body.length() + length;
    if (keyAwaited && total > ConnectionTimeouts.FORM_BYTES_MAX) {
      body.add(
          chunk.readSlice(ConnectionTimeouts.FORM_BYTES_MAX - body.length()),
          head.declared,
          route.bodyBytesMax());
      awaitNoMore(route, length);
      if (stage != Stage.READING) {
        return;
      }
    }
    if (total < 0 || total > route.bodyBytesMax()) {
      over(route, chunk);
    } else {
      Refusal refusal = hold(route, total);
      if (refusal == null) {
        body.add(chunk, head.declared, route.bodyBytesMax());
      } else {
        dropped = length;
        RequestAdmission.refuse(this, refusal);
      }
    }
  }

  /**
   * Takes room for what has come: of all there is, and of its sender's share if more is to come.
   */
  private @Nullable Refusal hold(Route asked, int total) {
    if (total != head.declared && !share(total)) {
      isShareFull = true;
      return Refusal.TOO_FAST;
    }
    if (!admission.admissionLimit.more(asked.priority(), total - heldBytes)) {
      return Refusal.BUSY;
    }
    heldBytes = total;
    return null;
  }

  private boolean share(int total) {
    BodyQuotas.Caller caller = sharer;
    if (caller == null) {
      caller =
          admission.admissionLimit.shares.caller(
              asker(), guard.channel.remoteAddress(), header("X-Forwarded-For"));
      sharer = caller;
    }
    if (!admission.admissionLimit.shares.more(caller, total - sharedBytes, total)) {
      return false;
    }
    sharedBytes = total;
    return true;
  }

  private void leaveShare() {
    BodyQuotas.Caller caller = sharer;
    sharer = null;
    if (caller != null) {
      admission.admissionLimit.shares.less(caller, sharedBytes);
      sharedBytes = 0;
    }
  }

  /** Whether it is refused for what else its sender has on its way. */
  boolean isShareFull() {
    return isShareFull;
  }

  /** The key has to be in what is here of a form that becomes too long to wait for. */
  private void awaitNoMore(Route asked, int length) {
    keyAwaited = false;
    Refusal refusal = admission.identify(this, asked);
    leaveShare(); // the address': from here on it is the key's
    if (refusal != null) {
      dropped = length;
      RequestAdmission.refuse(this, refusal);
    }
  }

  /** What is over the bound is refused; of a phone's body the start is kept. */
  private void over(Route asked, ByteBuf chunk) {
    dropped += chunk.readableBytes();
    if (!RequestAdmission.mayBeCut(asked)) {
      refuseAsTooLarge(asked);
      return;
    }
    fault("over " + asked.bodyBytesMax() + " bytes");
    if (dropped > ConnectionTimeouts.LINGER_BYTES) {
      // It is not waited for any longer: what came of it is answered.
      dropped = 0;
      closing = true;
      take(asked);
    }
  }

  private void end(@Nullable Void nothing) {
    read = true;
    try {
      if (stage == Stage.READING && route != null) {
        take(route);
      } else if (stage == Stage.LINGERING) {
        done();
      }
    } catch (Throwable bug) {
      failed(bug);
    }
  }

  private void take(Route asked) {
    stage = Stage.HANDED;
    deadline = NO_DEADLINE;
    leaveShare();
    try {
      Refusal refusal = keyAwaited ? admission.identify(this, asked) : null;
      if (refusal == null) {
        isIn = admission.admissionLimit.enter(asked.priority());
        refusal = isIn ? null : Refusal.BUSY;
      }
      if (refusal != null) {
        RequestAdmission.refuse(this, refusal);
      } else if (unpack(guard.loop.decompressor, coding, asked)) {
        asked.handler().handle(this);
      }
    } catch (Throwable bug) {
      failed(bug);
    } finally {
      body.drop();
    }
  }

  private void drop(int length) {
    dropped += length;
    if (dropped > ConnectionTimeouts.LINGER_BYTES) {
      cut();
    } else if (!closing && dropped > ConnectionTimeouts.KEEP_ALIVE_BYTES) {
      closing = true;
      deadline = System.nanoTime() + ConnectionTimeouts.LINGER_NANOS;
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
    streamGone();
    if (stage == Stage.HANDED) {
      // The handler still works on it: its room is free when that ends.
      answered = true;
      guard.end(this);
      leaveAlone();
      return;
    }
    read = true;
    answered = true;
    done();
  }

  /** The others of its connection are told, whatever becomes of telling this one's handler. */
  private void leaveAlone() {
    try {
      nobodyAsks();
    } catch (Throwable bug) {
      admission.bug(route, bug);
    }
  }

  /**
   * Whether all of it has come, and its answer will come soon: it is no stream without an end, and
   * no long work, which ends when nobody waits for it.
   */
  boolean isAnsweredSoon() {
    return read && !isStreaming() && !isGoneHeard();
  }

  void sweep(long now) {
    if (deadline != NO_DEADLINE && now - deadline > 0) {
      cut();
    }
  }

  @Override
  void cut() {
    if (head.isHttp2()) {
      response().reset();
      gone();
    } else {
      guard.cut();
    }
  }

  @Override
  void done() {
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

  @Override
  void leaveRoom() {
    leaveShare();
    if (heldBytes > 0) {
      admission.admissionLimit.less(heldBytes);
      heldBytes = 0;
    }
    if (isIn) {
      isIn = false;
      admission.admissionLimit.leave();
    }
  }

  @Override
  void answerWaits() {
    stage = Stage.HANDED;
  }

  @Override
  void answerTooLate() {
    // One that came before may still linger: it ends by itself.
    if (stage == Stage.HANDED) {
      stage = Stage.DONE;
    }
  }

  @Override
  void answerSent() {
    if (read) {
      done();
    } else {
      linger();
    }
  }

  @Override
  boolean isMuchToCome() {
    return !read
        && (head.declared - body.length() > ConnectionTimeouts.KEEP_ALIVE_BYTES
            || head.isContinueExpected());
  }

  private void linger() {
    stage = Stage.LINGERING;
    body.drop();
    if (closing) {
      deadline = System.nanoTime() + ConnectionTimeouts.LINGER_NANOS;
    }
  }
}

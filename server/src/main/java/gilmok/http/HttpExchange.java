package gilmok.http;

import gilmok.auth.Denial;
import gilmok.auth.KeyNames;
import gilmok.auth.Principal;
import gilmok.compress.ContentCoding;
import gilmok.observe.PartTimes;
import gilmok.trace.TraceContext;
import io.vertx.core.net.impl.ConnectionBase;
import java.net.InetAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One request and its one reply, as the handler sees them; delegates to the request, the body and
 * the response.
 */
final class HttpExchange implements Exchange {
  private static final byte[] NO_BYTES = {};

  private final HttpRequest request;
  private final RequestBody body;
  private final HttpResponse response;
  private final KeyNames keyNames;
  private Router.@Nullable Paths paths;
  private @Nullable Runnable whenGone;
  private int setAside;

  HttpExchange(HttpRequest request, RequestBody body, HttpResponse response, KeyNames keyNames) {
    this.keyNames = keyNames;
    this.request = request;
    this.body = body;
    this.response = response;
  }

  void matched(Router.Paths found) {
    paths = found;
  }

  /**
   * Whether the handler has set a task for a client that disconnects ({@link Exchange#whenGone}).
   */
  boolean isGoneHeard() {
    return whenGone != null;
  }

  /** The client is gone: runs the task that was set for it. */
  void nobodyAsks() {
    Runnable task = whenGone;
    whenGone = null;
    if (task != null) {
      task.run();
    }
  }

  @Override
  public String method() {
    return request.head.method().name();
  }

  @Override
  public String path() {
    return request.path;
  }

  @Override
  public String pathParameter(String name) {
    if (paths == null) {
      throw new IllegalStateException("no route");
    }
    return PercentEncoding.segment(paths.parameter(request.path, name));
  }

  @Override
  public @Nullable String query(String name) {
    return request.query(name);
  }

  @Override
  public List<String> queryAll(String name) {
    return request.queryAll(name);
  }

  @Override
  public String queryString() {
    return request.queryString();
  }

  @Override
  public @Nullable String header(String name) {
    return request.head.getHeader(name);
  }

  @Override
  public @Nullable String cookie(String name) {
    return request.cookie(name);
  }

  @Override
  public @Nullable String session() {
    return request.session();
  }

  @Override
  public boolean isOfForeignPage() {
    return request.isOfForeignPage();
  }

  @Override
  public boolean isSecure() {
    return request.isSecure();
  }

  @Override
  public @Nullable InetAddress clientAddress() {
    return request.clientAddress();
  }

  @Override
  public String contentType() {
    return request.contentType();
  }

  @Override
  public @Nullable Refusal refused() {
    return request.refused;
  }

  @Override
  public KeyNames keyNames() {
    return keyNames;
  }

  @Override
  public Principal principal() {
    Principal asker = request.asker();
    if (asker == null) {
      throw new IllegalStateException("this route needs no key");
    }
    return asker;
  }

  @Override
  public byte[] bodyBytes() {
    return body.bytes();
  }

  @Override
  public int bodyOffset() {
    return body.offset();
  }

  @Override
  public int bodyLength() {
    return body.length();
  }

  @Override
  public @Nullable String bodyFault() {
    return body.fault();
  }

  @Override
  public @Nullable SentRequest sent() {
    return body.isCut()
        ? null
        : new SentRequest(
            method(),
            request.head.uri(),
            request.head.headers().entries(),
            body.rawCopy(),
            ((ConnectionBase) request.head.connection()).channel().id());
  }

  @Override
  public void whenAnswered(Answered told) {
    request.told = status -> told.answered(status, setAside);
  }

  @Override
  public void setAside(int records) {
    setAside = records;
  }

  @Override
  public @Nullable TraceContext trace() {
    return request.trace().context();
  }

  @Override
  public void worked(PartTimes parts, long start, long ran) {
    request.workedApart(parts, start, ran);
  }

  @Override
  public void logged(long begun, long durable) {
    request.times.logged(begun, durable);
  }

  @Override
  public void acknowledged(long begun, long ended) {
    request.times.add(RequestPart.SINK, ended - begun);
  }

  @Override
  public void execute(Runnable task) {
    response.execute(task);
  }

  @Override
  public void whenGone(Runnable task) {
    whenGone = task;
  }

  @Override
  public void replyHeader(String name, String value) {
    response.header(name, value);
  }

  @Override
  public ContentCoding coding() {
    return response.coding();
  }

  @Override
  public void reply(int status, @Nullable String contentType, byte[] bytes) {
    response.reply(status, contentType, bytes);
  }

  @Override
  public void reply(int status, String contentType, List<byte[]> pieces) {
    response.reply(status, contentType, pieces);
  }

  @Override
  public void reply(int status) {
    response.reply(status, null, NO_BYTES);
  }

  @Override
  public ReplyStream stream(String contentType) {
    return response.stream(contentType);
  }

  @Override
  public void refuse(Denial denial) {
    refuse(request.refusalOf(denial));
  }

  @Override
  public void refuse(
      Refusal refusal, @Nullable String field, @Nullable String reason, String members) {
    response.refuse(refusal, field, reason, members);
  }

  @Override
  public void refuse(Refusal refusal, byte[] page) {
    response.refuseWith(refusal, "text/html; charset=utf-8", () -> page);
  }

  @Override
  public boolean prefersKorean() {
    return ProblemDetails.prefersKorean(header("accept-language"));
  }
}

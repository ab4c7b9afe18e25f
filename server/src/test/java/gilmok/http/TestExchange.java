package gilmok.http;

import gilmok.auth.Denial;
import gilmok.auth.Principal;
import gilmok.compress.ContentCoding;
import java.io.ByteArrayOutputStream;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** An exchange, without a server, that keeps its one reply. */
public final class TestExchange implements Exchange {
  /** A reply: status and body, or the refusal with its field and reason. */
  public record Reply(int status, String body, @Nullable Refusal refusal, @Nullable String field) {
    /** The body, parsed. */
    public JsonNode json() {
      return JsonMapper.shared().readTree(body);
    }
  }

  private final CompletableFuture<Reply> reply = new CompletableFuture<>();
  private final Map<String, String> replyHeaders = new ConcurrentHashMap<>();
  private final AtomicInteger dropped = new AtomicInteger();
  private @Nullable ReplyStream streamed;
  private final Principal principal;
  private final Map<String, String> path;
  private final Map<String, String> query;
  private final byte[] body;

  /** A request. Its body begins and ends inside a larger array, as on a connection. */
  public TestExchange(
      Principal principal, Map<String, String> path, Map<String, String> query, String body) {
    this.principal = principal;
    this.path = path;
    this.query = query;
    this.body = ("##" + body + "#").getBytes(StandardCharsets.UTF_8);
  }

  /** Waits for the reply, for 30 s at most. */
  public Reply await() throws Exception {
    return reply.get(30, TimeUnit.SECONDS);
  }

  /** How many further replies came after the first, and were dropped. */
  public int dropped() {
    return dropped.get();
  }

  /** The headers of the reply. */
  public Map<String, String> replyHeaders() {
    return replyHeaders;
  }

  /** Sets the stream to which a streamed reply is written. */
  public TestExchange streamingTo(ReplyStream stream) {
    streamed = stream;
    return this;
  }

  @Override
  public String method() {
    return "";
  }

  @Override
  public String path() {
    return "";
  }

  @Override
  public String pathParameter(String name) {
    return path.getOrDefault(name, "");
  }

  @Override
  public @Nullable String query(String name) {
    return query.get(name);
  }

  @Override
  public List<String> queryAll(String name) {
    return List.of();
  }

  @Override
  public String queryString() {
    return "";
  }

  @Override
  public @Nullable String bodyFault() {
    return null;
  }

  @Override
  public ReplyStream stream(String contentType) {
    if (streamed == null) {
      throw new UnsupportedOperationException();
    }
    return streamed;
  }

  @Override
  public @Nullable String header(String name) {
    return null;
  }

  @Override
  public boolean isOfForeignPage() {
    return false;
  }

  @Override
  public boolean isSecure() {
    return false;
  }

  @Override
  public @Nullable InetAddress clientAddress() {
    return null;
  }

  @Override
  public void refuse(Denial denial) {
    refuse(Refusal.of(denial));
  }

  @Override
  public @Nullable String session() {
    return null;
  }

  @Override
  public String contentType() {
    return "application/json";
  }

  @Override
  public Principal principal() {
    return principal;
  }

  @Override
  public byte[] bodyBytes() {
    return body;
  }

  @Override
  public int bodyOffset() {
    return 2;
  }

  @Override
  public int bodyLength() {
    return body.length - 3;
  }

  @Override
  public void execute(Runnable task) {
    task.run();
  }

  @Override
  public void whenGone(Runnable task) {}

  @Override
  public void replyHeader(String name, String value) {
    replyHeaders.put(name, value);
  }

  @Override
  public void reply(int status, String contentType, byte[] bytes) {
    done(new Reply(status, new String(bytes, StandardCharsets.UTF_8), null, null));
  }

  @Override
  public ContentCoding coding() {
    return ContentCoding.IDENTITY;
  }

  @Override
  public void reply(int status, String contentType, List<byte[]> pieces) {
    ByteArrayOutputStream whole = new ByteArrayOutputStream();
    pieces.forEach(whole::writeBytes);
    reply(status, contentType, whole.toByteArray());
  }

  @Override
  public void reply(int status) {
    done(new Reply(status, "", null, null));
  }

  @Override
  public void refuse(
      Refusal refusal, @Nullable String field, @Nullable String reason, String members) {
    try {
      ReasonCheck.reason(reason);
    } catch (AssertionError unknown) {
      reply.completeExceptionally(unknown);
    }
    done(new Reply(refusal.status(), reason == null ? "" : reason, refusal, field));
  }

  @Override
  public void refuse(Refusal refusal, byte[] page) {
    done(new Reply(refusal.status(), new String(page, StandardCharsets.UTF_8), refusal, null));
  }

  @Override
  public boolean prefersKorean() {
    return ProblemDetails.prefersKorean(header("accept-language"));
  }

  private void done(Reply one) {
    boolean isFirst = reply.complete(one);
    if (!isFirst) {
      dropped.incrementAndGet();
    }
  }
}

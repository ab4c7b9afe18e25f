package gilmok.http;

import gilmok.auth.Principal;
import gilmok.compress.ContentCoding;
import gilmok.compress.Decompressor;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a request asks: its head, who sent it, its body. Belongs to the connection's event loop. */
abstract class HttpRequest implements Exchange {
  static final byte[] NO_BYTES = {};

  final RequestHead head;
  final RequestBody body = new RequestBody();
  private @Nullable Principal principal;
  private @Nullable String bodyFault;
  private @Nullable Runnable whenGone;

  HttpRequest(RequestHead head) {
    this.head = head;
  }

  RequestHead head() {
    return head;
  }

  void asker(Principal principal) {
    this.principal = principal;
  }

  /** Notes why the body is not whole; the first reason stays. */
  void fault(String reason) {
    bodyFault = bodyFault == null ? reason : bodyFault;
  }

  void refuseAsTooLarge(Route asked) {
    refuse(Refusal.TOO_LARGE, "body", "over " + asked.bodyBytesMax() + " bytes unpacked");
  }

  /** Unpacks the body; false when it was refused. */
  boolean unpack(Decompressor decompressor, ContentCoding coding, Route route) {
    if (coding == ContentCoding.IDENTITY || bodyFault() != null) {
      return true;
    }
    int length = body.unpack(decompressor, coding, route.bodyBytesMax());
    if (length < 0 && RequestAdmission.mayBeCut(route)) {
      boolean over = length == Decompressor.OVER;
      fault(over ? "over " + route.bodyBytesMax() + " bytes" : decompressor.reason());
      return true;
    }
    if (length == Decompressor.OVER) {
      refuseAsTooLarge(route);
    } else if (length == Decompressor.BROKEN) {
      refuse(Refusal.UNREADABLE, "body", decompressor.reason());
    }
    return length >= 0;
  }

  @Override
  public void whenGone(Runnable task) {
    whenGone = task;
  }

  /** Whoever asked is gone. */
  void nobodyAsks() {
    Runnable task = whenGone;
    whenGone = null;
    if (task != null) {
      task.run();
    }
  }

  @Override
  public String method() {
    return head.request.method().name();
  }

  @Override
  public String path() {
    return head.path();
  }

  @Override
  public String pathParameter(String name) {
    return head.parameter(name);
  }

  @Override
  public @Nullable String query(String name) {
    return head.query(name);
  }

  @Override
  public @Nullable String header(String name) {
    return head.request.getHeader(name);
  }

  @Override
  public @Nullable String session() {
    return head.session();
  }

  @Override
  public String contentType() {
    return head.contentType();
  }

  @Override
  public Principal principal() {
    if (principal == null) {
      throw new IllegalStateException("this route needs no key");
    }
    return principal;
  }

  /** Who asks; null while that is not known, or where nobody is asked for it. */
  @Nullable Principal asker() {
    return principal;
  }

  /** Whether somebody works for it for so long that he wants to hear when it has gone. */
  boolean isGoneHeard() {
    return whenGone != null;
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
  public void reply(int status) {
    reply(status, null, NO_BYTES);
  }

  @Override
  public abstract void reply(int status, @Nullable String contentType, byte[] bytes);

  @Override
  public void refuse(Refusal refusal) {
    refuse(refusal, null, null);
  }

  @Override
  public void refuse(Refusal refusal, @Nullable String field, @Nullable String reason) {
    refuse(refusal, field, reason, "");
  }

  @Override
  public abstract void refuse(
      Refusal refusal, @Nullable String field, @Nullable String reason, String members);

  @Override
  public List<String> queryAll(String name) {
    return head.queryAll(name);
  }

  @Override
  public String queryString() {
    return head.queryString();
  }

  @Override
  public @Nullable String bodyFault() {
    return bodyFault;
  }
}

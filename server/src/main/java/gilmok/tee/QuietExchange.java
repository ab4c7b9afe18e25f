package gilmok.tee;

import gilmok.auth.Denial;
import gilmok.auth.KeyNames;
import gilmok.auth.Principal;
import gilmok.compress.ContentCoding;
import gilmok.http.Exchange;
import gilmok.http.Refusal;
import gilmok.http.ReplyStream;
import java.net.InetAddress;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * A request whose handler works as ever, but whose reply nobody gets: only its status is told. For
 * phones that get another server's answer.
 */
final class QuietExchange implements Exchange {
  private static final int BROKEN = 500;

  private final Exchange asked;
  private final Answered told;
  private final AtomicBoolean isTold = new AtomicBoolean();
  private int setAside;

  QuietExchange(Exchange asked, Answered told) {
    this.asked = asked;
    this.told = told;
  }

  private void tell(int answered) {
    if (isTold.compareAndSet(false, true)) {
      told.answered(answered, setAside);
    }
  }

  @Override
  public String method() {
    return asked.method();
  }

  @Override
  public String path() {
    return asked.path();
  }

  @Override
  public String pathParameter(String name) {
    return asked.pathParameter(name);
  }

  @Override
  public @Nullable String query(String name) {
    return asked.query(name);
  }

  @Override
  public List<String> queryAll(String name) {
    return asked.queryAll(name);
  }

  @Override
  public String queryString() {
    return asked.queryString();
  }

  @Override
  public @Nullable String header(String name) {
    return asked.header(name);
  }

  @Override
  public boolean prefersKorean() {
    return asked.prefersKorean();
  }

  @Override
  public @Nullable Refusal refused() {
    return asked.refused();
  }

  @Override
  public KeyNames keyNames() {
    return asked.keyNames();
  }

  @Override
  public @Nullable String session() {
    return asked.session();
  }

  @Override
  public boolean isOfForeignPage() {
    return asked.isOfForeignPage();
  }

  @Override
  public boolean isSecure() {
    return asked.isSecure();
  }

  @Override
  public @Nullable InetAddress clientAddress() {
    return asked.clientAddress();
  }

  @Override
  public String contentType() {
    return asked.contentType();
  }

  @Override
  public Principal principal() {
    return asked.principal();
  }

  @Override
  public byte[] bodyBytes() {
    return asked.bodyBytes();
  }

  @Override
  public int bodyOffset() {
    return asked.bodyOffset();
  }

  @Override
  public int bodyLength() {
    return asked.bodyLength();
  }

  @Override
  public @Nullable String bodyFault() {
    return asked.bodyFault();
  }

  @Override
  public void setAside(int records) {
    setAside = records;
  }

  @Override
  public void execute(Runnable task) {
    asked.execute(task);
  }

  @Override
  public void whenGone(Runnable task) {
    // What was sent is stored, whether or not the phone still waits.
  }

  @Override
  public void replyHeader(String name, String value) {
    // Nobody gets it.
  }

  @Override
  public ContentCoding coding() {
    return ContentCoding.IDENTITY;
  }

  @Override
  public void reply(int answered, String contentType, byte[] body) {
    tell(answered);
  }

  @Override
  public void reply(int answered, String contentType, List<byte[]> pieces) {
    tell(answered);
  }

  @Override
  public void reply(int answered) {
    tell(answered);
  }

  @Override
  public ReplyStream stream(String contentType) {
    throw new UnsupportedOperationException("no phone gets a stream");
  }

  @Override
  public void refuse(Denial denial) {
    tell(BROKEN);
  }

  @Override
  public void refuse(
      Refusal refusal, @Nullable String field, @Nullable String reason, String members) {
    tell(refusal.status());
  }

  @Override
  public void refuse(Refusal refusal, byte[] page) {
    tell(refusal.status());
  }
}

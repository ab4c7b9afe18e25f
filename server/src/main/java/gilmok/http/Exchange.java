package gilmok.http;

import gilmok.auth.Denial;
import gilmok.auth.KeyNames;
import gilmok.auth.Principal;
import gilmok.compress.ContentCoding;
import gilmok.observe.PartTimes;
import gilmok.trace.TraceContext;
import java.net.InetAddress;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One request and its one reply, independent of the framework below. Belongs to the event loop that
 * read the request; only {@link #execute} and the reply methods may be called from other threads,
 * and they hand over to that loop. A second reply is dropped, as is a reply to a client that is
 * gone.
 */
public interface Exchange {
  /** The request's method. */
  String method();

  /** The path without the query. */
  String path();

  /** A variable segment of the route's path, decoded. */
  String pathParameter(String name);

  /** A parameter of the query, decoded; its first value; null when absent. */
  @Nullable String query(String name);

  /** All values of a parameter of the query, decoded, in the order they were sent. */
  List<String> queryAll(String name);

  /** The query as it was sent, without its question mark; empty when there is none. */
  String queryString();

  /** A header's value; null when absent. */
  @Nullable String header(String name);

  /** Whether the client's Accept-Language prefers Korean to English. */
  boolean prefersKorean();

  /** A reason of ours in the language that the client prefers. */
  default String inTheirLanguage(String reason) {
    return prefersKorean() ? KoreanReasons.of(reason) : reason;
  }

  /** A cookie's value; null when there is none. */
  default @Nullable String cookie(String name) {
    String cookies = header("cookie");
    return cookies == null ? null : PercentEncoding.cookie(cookies, name);
  }

  /**
   * The session cookie of a page, or the token that a trusted proxy adds; unchecked; null when
   * there is none.
   */
  @Nullable String session();

  /**
   * Whether a browser says that it sends this for a page of another origin, be it only of another
   * port. The session cookie must not count then.
   */
  boolean isOfForeignPage();

  /** Whether the client uses TLS, to this server or to a trusted proxy in front of it. */
  boolean isSecure();

  /**
   * The client's address, as a trusted proxy names it where there is one; null on a socket without
   * addresses.
   */
  @Nullable InetAddress clientAddress();

  /** The content type without parameters, in lower case; empty when none was sent. */
  String contentType();

  /**
   * The trace that it is part of, to be passed on; null where nobody keeps it. On the event loop.
   */
  default @Nullable TraceContext trace() {
    return null;
  }

  /** Why this server does not take it; null if it does. Only on {@link Route#elsewhere}. */
  default @Nullable Refusal refused() {
    return null;
  }

  /** Where else an app may have put its key. */
  default KeyNames keyNames() {
    return KeyNames.USUAL;
  }

  /** Who the caller is. Only on routes that need a key. */
  Principal principal();

  /** The array that holds the decompressed body; valid until the handler returns. */
  byte[] bodyBytes();

  /** Where in {@link #bodyBytes} the body starts. */
  int bodyOffset();

  /** How long the decompressed body is. */
  int bodyLength();

  /** A copy of the body, for work that reads it after the handler has returned. */
  default byte[] bodyCopy() {
    return Arrays.copyOfRange(bodyBytes(), bodyOffset(), bodyOffset() + bodyLength());
  }

  /**
   * Why the body is incomplete or still compressed; null when it is neither. Only routes with
   * {@link OwnershipRule#PHONE} see such bodies; on all others the request is refused.
   */
  @Nullable String bodyFault();

  /**
   * A copy of the request as it came; null when its body did not arrive whole. While the handler
   * runs.
   *
   * @throws UnsupportedOperationException where requests are not passed on
   */
  default @Nullable SentRequest sent() {
    throw new UnsupportedOperationException("requests are not passed on here");
  }

  /**
   * Sets what is told of the reply, once, on this exchange's event loop. Call this while the
   * handler runs.
   */
  default void whenAnswered(Answered told) {}

  /** Notes how many of its records go into quarantine. Before the reply, while the handler runs. */
  default void setAside(int records) {}

  /**
   * Notes work for it off the event loop, in nanoseconds. From the thread that then replies.
   *
   * @param start how long its thread took to start
   * @param ran how long it ran, with what it waited for
   */
  default void worked(PartTimes parts, long start, long ran) {}

  /**
   * Notes when the log's writer began with its records, and when they were on disk, by {@link
   * System#nanoTime}. From its event loop, in a task handed over by {@link #execute}.
   */
  default void logged(long begun, long durable) {}

  /**
   * A sink has acknowledged what this request brought, or was too late, both by {@link
   * System#nanoTime}: since when it was waited for, and until when. On the event loop.
   */
  default void acknowledged(long begun, long ended) {}

  /** Runs a task on this exchange's event loop. From any thread. */
  void execute(Runnable task);

  /**
   * Sets a task that runs once, on this exchange's event loop, if the client disconnects before the
   * reply. The task must not block. Call this while the handler runs; a later task replaces an
   * earlier one.
   */
  void whenGone(Runnable task);

  /**
   * Adds a header to the reply. With a Content-Encoding the handler says that it has compressed the
   * body itself; the body is then sent as it is. From the exchange's event loop, before the reply.
   */
  void replyHeader(String name, String value);

  /**
   * The best content coding for this client, for a handler that compresses its reply itself. {@link
   * ContentCoding#IDENTITY} when the client accepts nothing else, when the route's level is 0, or
   * when a proxy does the compressing. A call also makes the reply vary by Accept-Encoding. From
   * any thread.
   */
  ContentCoding coding();

  /**
   * Replies with a body. The array is not copied and must not be changed afterwards. A text of some
   * length is compressed, as the client accepts it and at the route's level; on a thread that is no
   * event loop, the call takes as long as that.
   */
  void reply(int status, String contentType, byte[] body);

  /**
   * Replies with a body that is these arrays, one behind the other. They are neither copied nor
   * compressed; if they are compressed already, the handler names the coding in Content-Encoding.
   * Many replies may share them, so they must not be changed afterwards.
   */
  void reply(int status, String contentType, List<byte[]> pieces);

  /** Replies without a body. */
  void reply(int status);

  /**
   * Begins a reply, status 200, that is written bit by bit. From the exchange's event loop. The
   * request gives back its room at once; the connection is kept for as long as the client reads.
   */
  ReplyStream stream(String contentType);

  /** Refuses a key; an address that sends many wrong ones is told so. On the event loop. */
  void refuse(Denial denial);

  /** Refuses with problem+json, without a field; the refusal is counted. */
  default void refuse(Refusal refusal) {
    refuse(refusal, null, null, "");
  }

  /**
   * Refuses with problem+json; the refusal is counted.
   *
   * @param field what is wrong, as the client names it
   * @param reason why, in a few English words that {@code reasons-ko.txt} has in Korean
   */
  default void refuse(Refusal refusal, String field, String reason) {
    refuse(refusal, field, reason, "");
  }

  /**
   * Refuses with problem+json that has further members; the refusal is counted.
   *
   * @param members further members of the problem, written as JSON: {@code "delivery":{…}}
   */
  void refuse(Refusal refusal, @Nullable String field, @Nullable String reason, String members);

  /** Refuses with a page of HTML instead of problem+json; the refusal is counted. */
  void refuse(Refusal refusal, byte[] page);

  /** Is told of a reply. */
  @FunctionalInterface
  interface Answered {
    /** That status was replied; so many of the request's records went into quarantine. */
    void answered(int status, int setAside);
  }
}

package gilmok.http;

import gilmok.auth.Principal;
import gilmok.compress.ContentCoding;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One request and its one reply, without the framework below it. Belongs to the event loop that
 * read it; only {@link #execute} and the replies may be called from other threads, and are brought
 * to that loop. A second reply is dropped, as is one to a client that is gone.
 */
public interface Exchange {
  /** The request's method. */
  String method();

  /** The path without the query. */
  String path();

  /** A variable part of the route's path, decoded. */
  String pathParameter(String name);

  /** A parameter of the query, decoded; its first value; null when absent. */
  @Nullable String query(String name);

  /** All values of a parameter of the query, decoded, in the order they were sent. */
  List<String> queryAll(String name);

  /** The query as it was sent, without its question mark; empty when there is none. */
  String queryString();

  /** A header's value; null when absent. */
  @Nullable String header(String name);

  /**
   * The cookie that a page keeps, unchecked; null when there is none, or when another site's page
   * may have made the browser send it.
   */
  @Nullable String session();

  /** The content type without parameters, in small letters; empty when none was sent. */
  String contentType();

  /** Who asks. Only on routes that need a key. */
  Principal principal();

  /** Array that holds the decompressed body; valid until the handler returns. */
  byte[] bodyBytes();

  /** Where in {@link #bodyBytes} the body starts. */
  int bodyOffset();

  /** How long the decompressed body is. */
  int bodyLength();

  /** The body, for who reads it when the exchange's event loop is done with it. */
  default byte[] bodyCopy() {
    return Arrays.copyOfRange(bodyBytes(), bodyOffset(), bodyOffset() + bodyLength());
  }

  /**
   * Why the body is not whole, or still compressed; null when it is as it should be. With {@link
   * OwnershipRule#PHONE} only: every other request is refused then.
   */
  @Nullable String bodyFault();

  /** Runs something on this exchange's event loop. From any thread. */
  void execute(Runnable task);

  /**
   * Has something run, once and on this exchange's event loop, if whoever asks goes away before the
   * reply: it must not block. To be said while the handler runs; a later one takes the place of an
   * earlier one.
   */
  void whenGone(Runnable task);

  /**
   * Adds a header to the reply. A Content-Encoding says that the handler has compressed the body
   * itself: it is sent as it is. From the exchange's event loop, before the reply.
   */
  void replyHeader(String name, String value);

  /**
   * How a handler that compresses its reply itself does that best for this client: {@link
   * ContentCoding#IDENTITY} when it asks for nothing else, when the route's level is 0, or when
   * compressing is left to a proxy. Once it was asked, the reply says that it varies by
   * Accept-Encoding. From any thread.
   */
  ContentCoding coding();

  /**
   * The reply. The array is not copied and must not be changed afterwards. A text of some length is
   * compressed, as the client wants and the route's level says; from a thread that is no event loop
   * this takes the time of that.
   */
  void reply(int status, String contentType, byte[] body);

  /**
   * A reply whose body is these arrays, one behind the other. They are neither copied nor
   * compressed (what they are compressed as, the handler says in Content-Encoding), may be shared
   * by many replies, and must not be changed afterwards.
   */
  void reply(int status, String contentType, List<byte[]> pieces);

  /** A reply without a body. */
  void reply(int status);

  /**
   * Begins a reply of 200 that has no end yet. From the exchange's event loop. The room that the
   * request took is free again; the connection lives on as long as the client takes what is
   * written.
   */
  ReplyStream stream(String contentType);

  /** A refusal as problem+json, counted, without a field. */
  default void refuse(Refusal refusal) {
    refuse(refusal, null, null, "");
  }

  /**
   * A refusal as problem+json, counted.
   *
   * @param field what is wrong, as the client names it
   * @param reason why, in a few English words
   */
  default void refuse(Refusal refusal, String field, String reason) {
    refuse(refusal, field, reason, "");
  }

  /**
   * A refusal as problem+json, counted, that says more.
   *
   * @param members further members of the problem, written as JSON: {@code "delivery":{…}}
   */
  void refuse(Refusal refusal, @Nullable String field, @Nullable String reason, String members);
}

package gilmok.http;

import gilmok.auth.Principal;
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

  /** A header's value; null when absent. */
  @Nullable String header(String name);

  /** The content type without parameters, in small letters; empty when none was sent. */
  String contentType();

  /** Who asks. Only on routes that need a key. */
  Principal principal();

  /** Array that holds the unpacked body; valid until the handler returns. */
  byte[] bodyBytes();

  /** Where in {@link #bodyBytes} the body starts. */
  int bodyOffset();

  /** How long the unpacked body is. */
  int bodyLength();

  /** Runs something on this exchange's event loop. From any thread. */
  void execute(Runnable task);

  /** Adds a header to the reply. */
  void replyHeader(String name, String value);

  /** The reply. The array is not copied and must not be changed afterwards. */
  void reply(int status, String contentType, byte[] body);

  /** A reply without a body. */
  void reply(int status);

  /** A refusal as problem+json, counted, without a field. */
  void refuse(Refusal refusal);

  /**
   * A refusal as problem+json, counted.
   *
   * @param field what is wrong, as the client names it
   * @param reason why, in a few English words
   */
  void refuse(Refusal refusal, String field, String reason);
}

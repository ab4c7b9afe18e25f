package gilmok.missions;

import gilmok.compress.ComposedBody;
import gilmok.compress.ContentCoding;
import gilmok.http.Exchange;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How one request is answered with a rider's missions: the coding, and the tag that its sender has.
 * Made on the request's event loop; the answer is sent from any thread.
 */
record MissionResponse(
    Exchange exchange,
    ContentCoding coding,
    @Nullable String known,
    String cacheControl,
    @Nullable String location) {
  private static final String JSON = "application/json";

  /** The response to a reading request. */
  static MissionResponse toReader(Exchange exchange, String cacheControl) {
    String known = exchange.header("If-None-Match");
    return new MissionResponse(exchange, exchange.coding(), known, cacheControl, null);
  }

  /**
   * The response to a request that has changed something.
   *
   * @param location the path where the same content is read, so that caches drop what they have of
   *     it
   */
  static MissionResponse toWriter(Exchange exchange, String cacheControl, String location) {
    return new MissionResponse(exchange, exchange.coding(), null, cacheControl, location);
  }

  /** Sends the answer. From any thread; this one compresses what has to be compressed. */
  void show(RenderedMissions rendered) {
    String tag = tag(rendered.tag(), coding);
    List<byte[]> body = body(tag, rendered);
    exchange.execute(() -> send(tag, body));
  }

  /** Answers at once, on the exchange's event loop. */
  void showNow(RenderedMissions rendered) {
    String tag = tag(rendered.tag(), coding);
    send(tag, body(tag, rendered));
  }

  /** The body; empty when the reader has it already. */
  private List<byte[]> body(String tag, RenderedMissions rendered) {
    return known != null && isAmong(tag, known) ? List.of() : packed(rendered.body(), coding);
  }

  private void send(String tag, List<byte[]> body) {
    exchange.replyHeader("ETag", tag);
    exchange.replyHeader("Cache-Control", cacheControl);
    if (location != null) {
      exchange.replyHeader("Content-Location", location);
    }
    if (body.isEmpty()) {
      exchange.reply(304);
      return;
    }
    if (coding != ContentCoding.IDENTITY) {
      exchange.replyHeader("Content-Encoding", coding.label());
    }
    exchange.reply(200, JSON, body);
  }

  private static List<byte[]> packed(ComposedBody composedBody, ContentCoding coding) {
    return switch (coding) {
      case IDENTITY -> composedBody.identity();
      case GZIP -> composedBody.gzip();
      case ZSTD -> composedBody.zstd();
    };
  }

  /** A strong tag: each coding has other bytes, and so another tag. */
  static String tag(String hash, ContentCoding coding) {
    return switch (coding) {
      case IDENTITY -> "\"" + hash + "\"";
      case GZIP -> "\"" + hash + "-gzip\"";
      case ZSTD -> "\"" + hash + "-zstd\"";
    };
  }

  /**
   * Whether the header If-None-Match has that tag, or {@code *}. Weak tags match, as RFC 9110,
   * 13.1.2 demands: a proxy that compresses makes tags weak.
   */
  static boolean isAmong(String tag, String known) {
    return known.contains(tag) || known.strip().equals("*");
  }
}

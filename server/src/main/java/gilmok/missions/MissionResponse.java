package gilmok.missions;

import gilmok.compress.ComposedBody;
import gilmok.compress.ContentCoding;
import gilmok.http.Exchange;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How one request is to be shown a rider's missions: in which coding, and what its sender has
 * already. Taken from the request on its event loop; the answer is sent from any thread.
 */
record MissionResponse(
    Exchange exchange,
    ContentCoding coding,
    @Nullable String known,
    String cacheControl,
    @Nullable String location) {
  private static final String JSON = "application/json";

  /** To who reads. */
  static MissionResponse toReader(Exchange exchange, String cacheControl) {
    String known = exchange.header("If-None-Match");
    return new MissionResponse(exchange, exchange.coding(), known, cacheControl, null);
  }

  /**
   * To who has changed something.
   *
   * @param location where the same is read, so that caches forget what they have of it
   */
  static MissionResponse toWriter(Exchange exchange, String cacheControl, String location) {
    return new MissionResponse(exchange, exchange.coding(), null, cacheControl, location);
  }

  /** Answers. From any thread: what is compressed for it, is there. */
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

  /** Nothing when its reader has it already. */
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

  /** A strong one: each coding has other bytes, and so another tag. */
  static String tag(String hash, ContentCoding coding) {
    return switch (coding) {
      case IDENTITY -> "\"" + hash + "\"";
      case GZIP -> "\"" + hash + "-gzip\"";
      case ZSTD -> "\"" + hash + "-zstd\"";
    };
  }

  /**
   * Whether the header If-None-Match names that tag, or any. As RFC 9110, 13.1.2 has it, weak ones
   * count: a proxy that packs makes them so.
   */
  static boolean isAmong(String tag, String known) {
    return known.contains(tag) || known.strip().equals("*");
  }
}

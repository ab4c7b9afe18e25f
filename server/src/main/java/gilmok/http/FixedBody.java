package gilmok.http;

import gilmok.auth.Sha256;
import gilmok.compress.BodyCompressor;
import gilmok.compress.ContentCoding;
import java.util.HexFormat;

/**
 * The body of a page that does not change while the server runs: compressed once and sent often. So
 * a request without a key cannot make the server compress. Immutable, thread-safe.
 */
public final class FixedBody {
  /** The level. A higher one takes three times the work to save two percent. */
  private static final int LEVEL = 6;

  private static final String IF_NONE_MATCH = "if-none-match";

  private final String contentType;
  private final byte[] plain;
  private final byte[] gzip;
  private final byte[] zstd;
  private final String hash;

  /**
   * Compresses the body, at some 40 MB a second.
   *
   * @param bytes not copied, and not to be changed afterwards
   */
  public FixedBody(String contentType, byte[] bytes) {
    this.contentType = contentType;
    this.plain = bytes;
    this.hash = HexFormat.of().formatHex(Sha256.digest().digest(bytes), 0, 8);
    try (BodyCompressor bodyCompressor = new BodyCompressor()) {
      this.gzip = packed(bodyCompressor, ContentCoding.GZIP, bytes);
      this.zstd = packed(bodyCompressor, ContentCoding.ZSTD, bytes);
    }
  }

  private static byte[] packed(BodyCompressor bodyCompressor, ContentCoding coding, byte[] bytes) {
    byte[] packed = bodyCompressor.pack(coding, LEVEL, bytes);
    return packed == null ? bytes : packed;
  }

  /**
   * The body in a coding; the uncompressed bytes where compressing does not make them fewer. Not to
   * be changed.
   */
  public byte[] bytes(ContentCoding coding) {
    return switch (coding) {
      case IDENTITY -> plain;
      case GZIP -> gzip;
      case ZSTD -> zstd;
    };
  }

  private ContentCoding coding(Exchange exchange) {
    ContentCoding wanted = exchange.coding();
    return bytes(wanted).length == plain.length ? ContentCoding.IDENTITY : wanted;
  }

  /** Replies with it, 200. From the exchange's event loop. */
  public void reply(Exchange exchange) {
    send(exchange, coding(exchange));
  }

  /**
   * Replies with the body and its ETag, which differs from coding to coding; replies 304 to a
   * client that has the body already. From the exchange's event loop.
   */
  public void replyIfChanged(Exchange exchange) {
    ContentCoding coding = coding(exchange);
    String tag = tag(coding);
    exchange.replyHeader("ETag", tag);
    String known = exchange.header(IF_NONE_MATCH);
    if (known != null && known.contains(tag)) {
      exchange.reply(304);
    } else {
      send(exchange, coding);
    }
  }

  private String tag(ContentCoding coding) {
    return coding == ContentCoding.IDENTITY
        ? '"' + hash + '"'
        : '"' + hash + '-' + coding.label() + '"';
  }

  private void send(Exchange exchange, ContentCoding coding) {
    if (coding != ContentCoding.IDENTITY) {
      exchange.replyHeader("Content-Encoding", coding.label());
    }
    exchange.reply(200, contentType, bytes(coding));
  }
}

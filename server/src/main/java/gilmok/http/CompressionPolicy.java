package gilmok.http;

import gilmok.compress.BodyCompressor;
import gilmok.compress.BodyCompressors;
import gilmok.compress.ContentCoding;
import gilmok.observe.RateLimitedLog;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpHeaders;
import java.util.IdentityHashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Decides which answers are compressed at sending, and compresses them on the thread that answers;
 * an event loop compresses only small ones. Shared by all event loops; thread-safe.
 */
final class CompressionPolicy implements AutoCloseable {
  /**
   * The smallest answer that is compressed. A smaller one fits into one packet anyway, and
   * compressing gains least on it.
   */
  static final int BYTES_MIN = 1 << 10;

  /**
   * The largest answer that an event loop compresses itself. At the usual level that delays the
   * loop's other requests by a tenth of a millisecond; a hand-over to another thread costs not much
   * less.
   */
  static final int LOOP_BYTES_MAX = 16 << 10;

  /**
   * The largest answer that is compressed. Longer ones are few, and compressing one would keep a
   * processor busy for a second.
   */
  static final int BYTES_MAX = 32 << 20;

  private static final int PACKERS_MIN = 4;

  private final int usual;
  private final IdentityHashMap<Route, Integer> levels = new IdentityHashMap<>();
  private final RequestMeter meter;
  private final BodyCompressors bodyCompressors;
  private final RateLimitedLog rateLimitedLog =
      new RateLimitedLog("gilmok.http", "answers are not compressed");

  /** A compressed body together with the uncompressed one. */
  @SuppressWarnings("ArrayRecordComponent")
  record Packed(ContentCoding coding, byte[] bytes, byte[] plain) {
    private static final String WEAK = "W/";

    /** Sets the headers of a reply whose body it is. */
    void dress(MultiMap headers) {
      headers.set(HttpHeaders.CONTENT_ENCODING, coding.label());
      String tag = headers.get(HttpHeaders.ETAG);
      if (tag != null && !tag.startsWith(WEAK)) {
        // A strong ETag identifies the bytes, and compression changes them: RFC 9110, 8.8.3.3.
        headers.set(HttpHeaders.ETAG, WEAK + tag);
      }
    }
  }

  CompressionPolicy(CompressionLevels compressionLevels, List<Route> routes, RequestMeter meter) {
    this(
        compressionLevels,
        routes,
        meter,
        new BodyCompressors(Math.max(PACKERS_MIN, 2 * Runtime.getRuntime().availableProcessors())));
  }

  private CompressionPolicy(
      CompressionLevels compressionLevels,
      List<Route> routes,
      RequestMeter meter,
      BodyCompressors bodyCompressors) {
    this.meter = meter;
    this.bodyCompressors = bodyCompressors;
    this.usual = compressionLevels.isOn() ? compressionLevels.usual() : 0;
    for (Route route : routes) {
      int level = compressionLevels.level(route.method(), route.path());
      if (level != usual) {
        levels.put(route, level);
      }
    }
  }

  /** A policy for other routes that shares this one's compressors; close only one of the two. */
  CompressionPolicy of(CompressionLevels compressionLevels, List<Route> routes) {
    return new CompressionPolicy(compressionLevels, routes, meter, bodyCompressors);
  }

  /** How hard a route's answers are compressed: 0 (off) to 9. */
  int level(@Nullable Route route) {
    if (route == null) {
      return 0;
    }
    Integer own = levels.isEmpty() ? null : levels.get(route);
    return own == null ? usual : own;
  }

  /** Whether compressing may pay for a body of that type and length. */
  static boolean pays(@Nullable String contentType, int length) {
    return length >= BYTES_MIN && length <= BYTES_MAX && contentType != null && isText(contentType);
  }

  private static boolean isText(String contentType) {
    int semicolon = contentType.indexOf(';');
    int end = semicolon < 0 ? contentType.length() : semicolon;
    while (end > 0 && contentType.charAt(end - 1) == ' ') {
      end--;
    }
    return contentType.regionMatches(true, 0, "text/", 0, 5)
        || endsWith(contentType, end, "json")
        || endsWith(contentType, end, "yaml")
        || endsWith(contentType, end, "javascript")
        || endsWith(contentType, end, "xml");
  }

  private static boolean endsWith(String text, int end, String suffix) {
    int from = end - suffix.length();
    return text.regionMatches(true, from, suffix, 0, suffix.length());
  }

  /**
   * Compresses a body; null when it is to be sent uncompressed.
   *
   * @param loop the event loop whose thread this is; null on any other thread
   */
  @Nullable Packed pack(
      @Nullable EventLoopState loop, ContentCoding coding, int level, byte[] plain) {
    BodyCompressor bodyCompressor = loop != null ? loop.bodyCompressor : bodyCompressors.take();
    if (bodyCompressor == null) {
      return null;
    }
    long began = System.nanoTime();
    byte[] packed;
    try {
      packed = bodyCompressor.pack(coding, level, plain);
    } catch (RuntimeException | Error bug) {
      // Mostly out of memory. The uncompressed answer is still good.
      rateLimitedLog.bug("a bug in compressing an answer; it was sent uncompressed", bug);
      packed = null;
    } finally {
      if (loop == null) {
        bodyCompressors.giveBack(bodyCompressor);
      }
    }
    int length = packed == null ? plain.length : packed.length;
    meter.packed(coding, plain.length, length, System.nanoTime() - began);
    return packed == null ? null : new Packed(coding, packed, plain);
  }

  @Override
  public void close() {
    bodyCompressors.close();
  }
}

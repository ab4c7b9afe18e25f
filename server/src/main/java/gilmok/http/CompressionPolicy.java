package gilmok.http;

import gilmok.compress.BodyCompressor;
import gilmok.compress.BodyCompressors;
import gilmok.compress.ContentCoding;
import gilmok.observe.RateLimitedLog;
import java.util.IdentityHashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Decides which answers are compressed while they are sent, and compresses them: on the thread that
 * answers, but an event loop takes only small ones. Shared by all event loops; thread-safe.
 */
final class CompressionPolicy implements AutoCloseable {
  /** Under this a packet of the network is not filled anyway, and compressing makes least of it. */
  static final int BYTES_MIN = 1 << 10;

  /**
   * The most that an event loop compresses itself: at the usual level that keeps its other requests
   * waiting for a tenth of a millisecond, and handing it to another thread costs not much less.
   */
  static final int LOOP_BYTES_MAX = 16 << 10;

  /**
   * Longer answers are few, and as they are: compressing one would take a processor for a second.
   */
  static final int BYTES_MAX = 32 << 20;

  private static final int PACKERS_MIN = 4;

  private final int usual;
  private final IdentityHashMap<Route, Integer> levels = new IdentityHashMap<>();
  private final RequestMeter meter;
  private final BodyCompressors bodyCompressors;
  private final RateLimitedLog rateLimitedLog =
      new RateLimitedLog("gilmok.http", "answers are not packed");

  /** A body compressed, and how it was before. */
  @SuppressWarnings("ArrayRecordComponent")
  record Packed(ContentCoding coding, byte[] bytes, byte[] plain) {}

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

  /** That of other routes, by the same packers; one of both is to be closed. */
  CompressionPolicy of(CompressionLevels compressionLevels, List<Route> routes) {
    return new CompressionPolicy(compressionLevels, routes, meter, bodyCompressors);
  }

  /** How hard a route's answers are compressed: 0, not at all, to 9. */
  int level(@Nullable Route route) {
    if (route == null) {
      return 0;
    }
    Integer own = levels.isEmpty() ? null : levels.get(route);
    return own == null ? usual : own;
  }

  /** Whether a body of that type and length may be worth it. */
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
   * Compresses a body; null when it stays as it is.
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
      // Above all too little memory for it. The answer is good without.
      rateLimitedLog.bug("an answer was not packed", bug);
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

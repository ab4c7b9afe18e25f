package gilmok.http;

import gilmok.auth.Binding;
import gilmok.auth.Principal;
import gilmok.observe.Meters;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Who uses the server: a meter for each key and program. Keys that are bound to a rider, shop or
 * agency count together, as there may be one for each rider. The first {@link #CALLERS_MAX} callers
 * have labels of their own; the rest share one. Thread-safe.
 */
final class CallerMeters {
  /** The bound of callers with labels of their own. */
  static final int CALLERS_MAX = 100;

  private static final String OTHER = "other";
  private static final String NONE = "none";
  private static final int AGENT_CHARS_MAX = 40;

  private final Meters meters;
  private final Map<Caller, CallerMeter> known = new ConcurrentHashMap<>();
  private final CallerMeter others;

  private record Caller(String key, String agent) {}

  CallerMeters(Meters meters) {
    this.meters = meters;
    others = CallerMeter.of(meters, OTHER, OTHER);
  }

  /**
   * The meter of a caller.
   *
   * @param principal null when no valid key was shown
   * @param userAgent the header as it was sent; null when there was none
   */
  CallerMeter of(@Nullable Principal principal, @Nullable String userAgent) {
    Caller caller = new Caller(key(principal), program(userAgent));
    CallerMeter meter = known.get(caller);
    return meter == null ? added(caller) : meter;
  }

  private synchronized CallerMeter added(Caller caller) {
    CallerMeter meter = known.get(caller);
    if (meter == null && known.size() < CALLERS_MAX) {
      meter = CallerMeter.of(meters, caller.key, caller.agent);
      known.put(caller, meter);
    }
    return meter == null ? others : meter;
  }

  private static String key(@Nullable Principal principal) {
    if (principal == null) {
      return NONE;
    }
    Binding binding = principal.binding();
    return binding == null ? principal.keyId() : binding.kind().label();
  }

  /**
   * The name of a program, from the first product of its User-Agent (RFC 9110, 10.1.5): {@code
   * okhttp} of {@code okhttp/4.12.0}. Its version is left out, as each release would be another
   * caller.
   */
  static String program(@Nullable String userAgent) {
    if (userAgent == null) {
      return NONE;
    }
    int end = 0;
    while (end < userAgent.length() && end < AGENT_CHARS_MAX && isOfName(userAgent.charAt(end))) {
      end++;
    }
    return end == 0 ? NONE : userAgent.substring(0, end);
  }

  /** Whether it can be part of a token (RFC 9110, 5.6.2). */
  private static boolean isOfName(char c) {
    return (c >= '0' && c <= '9')
        || (c >= 'a' && c <= 'z')
        || (c >= 'A' && c <= 'Z')
        || "!#$%&'*+-.^_`|~".indexOf(c) >= 0;
  }
}

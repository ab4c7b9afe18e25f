package gilmok.deliveries;

import gilmok.auth.Binding;
import gilmok.auth.Principal;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * The header {@code Idempotency-Key}: whoever repeats a request with it gets the first one's answer
 * (draft-ietf-httpapi-idempotency-key-header). That of a move is kept as the source of its event,
 * in two parts: which key of which caller, and which request.
 */
final class IdempotencyKey {
  /** The header. */
  static final String HEADER = "Idempotency-Key";

  /** Why a key is none. */
  static final String REASON = "needs 1 to 255 visible characters";

  private static final int CHARS_MAX = 255;
  private static final String PREFIX = "once:";
  private static final int HASH_BYTES = 15;
  private static final int HASH_CHARS = HASH_BYTES * 4 / 3;

  private IdempotencyKey() {}

  static boolean isOne(String key) {
    return !key.isEmpty()
        && key.length() <= CHARS_MAX
        && key.chars().allMatch(c -> c > ' ' && c <= '~');
  }

  /** Whose keys they are: equal keys of two callers do not collide. */
  static String scope(Principal principal) {
    Binding binding = principal.binding();
    return binding == null
        ? "name:" + principal.name()
        : binding.kind().label() + ":" + binding.id();
  }

  /** The source of the event of a move that was asked for with this key. */
  static String source(
      MessageDigest sha256,
      String scope,
      String key,
      Step step,
      byte[] body,
      int from,
      int length) {
    String who = hash(sha256, (scope + ' ' + key).getBytes(StandardCharsets.UTF_8));
    sha256.update((step.label() + ' ').getBytes(StandardCharsets.UTF_8));
    sha256.update(body, from, length);
    return PREFIX + who + hash(sha256, new byte[0]);
  }

  private static String hash(MessageDigest sha256, byte[] last) {
    byte[] whole = sha256.digest(last);
    byte[] begin = new byte[HASH_BYTES];
    System.arraycopy(whole, 0, begin, 0, HASH_BYTES);
    return Base64.getUrlEncoder().encodeToString(begin);
  }

  /** Whether a source is that of a key, and not the id of a record. */
  static boolean isSource(@Nullable String source) {
    return source != null && source.startsWith(PREFIX);
  }

  /** Whether two sources have the same key. */
  static boolean isSame(@Nullable String one, @Nullable String other) {
    return isSource(one)
        && other != null
        && other.regionMatches(0, one, 0, PREFIX.length() + HASH_CHARS);
  }
}

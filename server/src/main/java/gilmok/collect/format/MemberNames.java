package gilmok.collect.format;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Which members of a record that no rule names become attributes. Immutable. */
final class MemberNames {
  private final byte @Nullable [][] kept;

  /**
   * Keeps these.
   *
   * @param kept their names; null for all
   */
  MemberNames(@Nullable List<String> kept) {
    this.kept =
        kept == null
            ? null
            : kept.stream()
                .map(name -> name.getBytes(StandardCharsets.UTF_8))
                .toArray(byte[][]::new);
  }

  boolean isKept(byte[] name, int offset, int length) {
    if (kept == null) {
      return true;
    }
    for (byte[] one : kept) {
      if (Arrays.equals(one, 0, one.length, name, offset, offset + length)) {
        return true;
      }
    }
    return false;
  }
}

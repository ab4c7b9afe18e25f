package gilmok.lab.rollback;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** How programs of ours refuse a file of a newer version. Stateless. */
final class FormatRefusal {
  private static final Pattern NEWER =
      Pattern.compile(
          "has format \\d+[;,]|by a newer Gilmok|format version \\d+, but"
              + "|of version \\d+(;|, of a newer)");

  private FormatRefusal() {}

  /** The line of a server's output that refuses a newer format; null if none does. */
  static @Nullable String in(String output) {
    return output.lines().filter(line -> NEWER.matcher(line).find()).findFirst().orElse(null);
  }
}

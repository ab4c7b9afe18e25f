package gilmok.pages;

import org.jspecify.annotations.Nullable;

/** The header Cookie. Pure function. */
final class Cookies {
  private Cookies() {}

  /** The first value of that name; null when there is none. */
  static @Nullable String value(@Nullable String header, String name) {
    int from = 0;
    while (header != null && from < header.length()) {
      int end = header.indexOf(';', from);
      end = end < 0 ? header.length() : end;
      while (from < end && header.charAt(from) == ' ') {
        from++;
      }
      if (header.startsWith(name, from)
          && from + name.length() < end
          && header.charAt(from + name.length()) == '=') {
        return header.substring(from + name.length() + 1, end).strip();
      }
      from = end + 1;
    }
    return null;
  }
}

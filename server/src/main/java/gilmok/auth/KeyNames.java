package gilmok.auth;

import gilmok.config.Settings;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Where else than in {@code X-Api-Key}, {@code Authorization} and the parameter {@code key} a
 * fleet's app sends its key. Immutable.
 *
 * @param header {@code auth.header}: a header's name in lower case; null for none. Where it is
 *     {@code authorization}, a value without a scheme is a key
 * @param parameter {@code auth.parameter}: the name of a parameter of phones' URIs and forms; null
 *     for none
 */
public record KeyNames(@Nullable String header, @Nullable String parameter) {
  /** No other place. */
  public static final KeyNames USUAL = new KeyNames(null, null);

  /** The parameter's name that is always known. */
  public static final String PARAMETER = "key";

  private static final Pattern TOKEN = Pattern.compile("[A-Za-z0-9!#$%&'*+.^_`|~-]{1,64}");
  private static final Pattern PARAMETER_NAME = Pattern.compile("[A-Za-z0-9_.-]{1,64}");

  /** Headers that say something else, or that are read anyway. */
  private static final List<String> OTHERS =
      List.of("cookie", "content-type", "content-length", "host", "user-agent", "x-api-key");

  static KeyNames of(Settings settings) {
    String header = settings.optionalText("auth.header");
    if (header != null) {
      if (!TOKEN.matcher(header).matches()) {
        settings.problem("auth.header: \"" + header + "\" is no name of a header");
      }
      header = header.toLowerCase(Locale.ROOT);
      if (OTHERS.contains(header)) {
        settings.problem("auth.header: " + header + " cannot have the key, or is read anyway");
      }
    }
    String parameter = settings.optionalText("auth.parameter");
    if (parameter != null && !PARAMETER_NAME.matcher(parameter).matches()) {
      settings.problem("auth.parameter: needs 1 to 64 letters, digits, \"_\", \".\" or \"-\"");
    }
    return new KeyNames(header, parameter);
  }

  /** Whether a text begins as the keys that are made here do; the id of a key does not. */
  public static boolean isMadeHere(String text) {
    return text.startsWith(KeyText.PREFIX);
  }

  /** Parameters of a URI or form without those that have a key. The array may be changed. */
  public byte[] withoutKey(byte[] parameters) {
    int size = 0;
    for (int from = 0; from < parameters.length; ) {
      int to = from;
      while (to < parameters.length && parameters[to] != '&') {
        to++;
      }
      if (!isNamed(PARAMETER, parameters, from, to)
          && (parameter == null || !isNamed(parameter, parameters, from, to))) {
        if (size > 0) {
          parameters[size++] = '&';
        }
        System.arraycopy(parameters, from, parameters, size, to - from);
        size += to - from;
      }
      from = to + 1;
    }
    return size == parameters.length ? parameters : Arrays.copyOf(parameters, size);
  }

  /** Whether a parameter's decoded name is that. */
  private static boolean isNamed(String name, byte[] bytes, int from, int to) {
    int matched = 0;
    int p = from;
    while (p < to && bytes[p] != '=') {
      int b = bytes[p];
      if (b == '%' && p + 2 < to) {
        b = Character.digit(bytes[p + 1], 16) << 4 | Character.digit(bytes[p + 2], 16);
        p += 2;
      }
      if (matched == name.length() || b != name.charAt(matched)) {
        return false;
      }
      matched++;
      p++;
    }
    return matched == name.length();
  }
}

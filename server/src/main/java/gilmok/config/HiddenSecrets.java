package gilmok.config;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Hides users and passwords in the error messages of drivers. Pure functions. */
public final class HiddenSecrets {
  private static final String STARS = "********";

  /**
   * A secret that is a short word. It is hidden only as a whole word: inside a longer one, the rest
   * of that word would give it away.
   */
  private static final Pattern SHORT_WORD = Pattern.compile("[A-Za-z0-9]{1,8}");

  private HiddenSecrets() {}

  /** The text, with stars in place of each secret. */
  public static String in(String text, List<String> secrets) {
    String hidden = text;
    for (String secret : secrets) {
      String quoted = Pattern.quote(secret);
      String found =
          SHORT_WORD.matcher(secret).matches()
              ? "(?<![A-Za-z0-9])" + quoted + "(?![A-Za-z0-9])"
              : quoted;
      hidden = hidden.replaceAll(found, Matcher.quoteReplacement(STARS));
    }
    return hidden;
  }
}

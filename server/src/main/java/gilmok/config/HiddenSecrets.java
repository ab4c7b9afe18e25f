package gilmok.config;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Hides users and passwords in what a driver says of a failure. Pure functions. */
public final class HiddenSecrets {
  private static final String STARS = "********";

  /**
   * So short a word can be part of others: blanked in the middle of them it would be given away by
   * the rest.
   */
  private static final Pattern SHORT_WORD = Pattern.compile("[A-Za-z0-9]{1,8}");

  private HiddenSecrets() {}

  /** The text with stars in the place of each. */
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

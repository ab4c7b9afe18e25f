package gilmok.history;

import gilmok.auth.Sha256;
import java.util.HexFormat;

/**
 * Entity tags of answers about the past: of the question, and of all that its answer is made of.
 */
final class EntityTag {
  /** Changes when an answer is written otherwise. */
  private static final int VERSION = 1;

  private EntityTag() {}

  /** The tag of a question whose sources have that digest. */
  static String of(String question, long digest) {
    String all = VERSION + " " + digest + " " + question;
    return '"' + HexFormat.of().formatHex(Sha256.of(all), 0, 16) + '"';
  }

  /** Whether a header If-None-Match has a tag; weak ones match, as RFC 9110, 13.1.2 demands. */
  static boolean isAmong(String tag, String known) {
    return known.contains(tag) || known.strip().equals("*");
  }
}

package gilmok.lab.bare;

/**
 * The least parser there is: counts the objects of a body, one or an array of them, by their
 * braces. It stands where the server's scanner will.
 */
final class ArrayCount {
  private ArrayCount() {}

  /** How many outermost objects the bytes hold; 0 when the braces do not match. */
  static int objects(byte[] bytes) {
    int objects = 0;
    int depth = 0;
    boolean quoted = false;
    for (int i = 0; i < bytes.length; i++) {
      byte letter = bytes[i];
      if (letter == '"') {
        quoted = !quoted;
      } else if (quoted) {
        i += letter == '\\' ? 1 : 0;
      } else if (letter == '{') {
        depth++;
      } else if (letter == '}') {
        depth--;
        objects += depth == 0 ? 1 : 0;
      }
    }
    return depth == 0 ? objects : 0;
  }
}

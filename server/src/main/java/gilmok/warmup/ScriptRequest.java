package gilmok.warmup;

import java.util.List;
import java.util.Set;

/**
 * One request of a script, as it is sent again and again.
 *
 * @param name what branch it takes, as in {@code fifty positions, gzip}
 * @param path with its query; it may hold {@code {{placeholders}}}, as headers and body may
 * @param headers lines, as in {@code X-Api-Key: {{fleet}}}
 * @param expected the statuses that are right, first the one it is sent for; another one is a
 *     defect of the script or the server
 * @param remembers what later requests say again
 * @param parts those that a server must have to be asked it, beside the script's own
 */
public record ScriptRequest(
    String name,
    String method,
    String path,
    List<String> headers,
    Body body,
    List<Integer> expected,
    Turns turns,
    List<ResponseCapture> remembers,
    Set<String> parts) {

  /**
   * What it sends.
   *
   * @param text one copy; empty when there is none
   * @param form how the copies are put together
   * @param packing how the whole is compressed
   */
  public record Body(String text, Form form, int copies, Packing packing) {}

  /**
   * How often it is sent.
   *
   * @param times when many ask at once; 0: not then, it is a branch only
   * @param isSeldom whether a connection asks it in its first round alone
   */
  public record Turns(int times, boolean isSeldom) {}

  /** How copies of a body are put together. */
  public enum Form {
    /** There is one. */
    PLAIN,
    /** As a JSON array. */
    ARRAY,
    /** Each on a line. */
    LINES
  }

  /** How a body is packed. */
  public enum Packing {
    NONE,
    GZIP,
    ZSTD
  }

  /** Whether the placeholder of that name is in it. */
  public boolean mentions(String name) {
    String placeholder = "{{" + name + "}}";
    return path.contains(placeholder)
        || body.text().contains(placeholder)
        || headers.stream().anyMatch(header -> header.contains(placeholder));
  }

  /** The method and the path without its query. */
  public String target() {
    int query = path.indexOf('?');
    return method + " " + (query < 0 ? path : path.substring(0, query));
  }
}

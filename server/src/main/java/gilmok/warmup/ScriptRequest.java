package gilmok.warmup;

import java.util.List;
import java.util.Set;

/**
 * One request of a script, sent many times with changing values. Immutable.
 *
 * @param name the branch that it exercises, as in {@code fifty positions, gzip}
 * @param path with its query; like the headers and the body it may contain {@code {{placeholders}}}
 * @param headers lines, as in {@code X-Api-Key: {{fleet}}}
 * @param expected the accepted statuses, the intended one first; any other is a defect of the
 *     script or the server
 * @param remembers the captures for later requests
 * @param parts the parts that a server must have for this request, besides the script's own
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
   * A request body.
   *
   * @param text one copy; empty if there is no body
   * @param form how the copies are joined
   * @param packing how the whole is compressed
   */
  public record Body(String text, Form form, int copies, Packing packing) {}

  /**
   * How often a request is sent.
   *
   * @param times how often in each turn of the crowd; 0: never, it belongs to the branches only
   * @param isSeldom whether it is sent once, with the branches, and never again
   */
  public record Turns(int times, boolean isSeldom) {}

  /** How copies of a body are joined. */
  public enum Form {
    /** One copy, as it is. */
    PLAIN,
    /** A JSON array of the copies. */
    ARRAY,
    /** One copy a line. */
    LINES
  }

  /** How a body is compressed. */
  public enum Packing {
    NONE,
    GZIP,
    ZSTD
  }

  /** Whether the request contains the placeholder. */
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

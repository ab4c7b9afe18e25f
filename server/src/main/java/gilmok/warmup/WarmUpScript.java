package gilmok.warmup;

import gilmok.config.ProgramFile;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A script of the warm-up: realistic requests, one for each branch of each hot route, in the order
 * in which a connection sends them. It is written as text:
 *
 * <pre>
 * ### fifty positions, gzip
 * # expect 202
 * # array 50
 * # pack gzip
 * # times 4
 * POST /v1/traces
 * X-Api-Key: {{fleet}}
 *
 * {"riderId":"r-{{rider}}","at":{{now}},"lat":37.{{n}},"lon":127.01}
 * </pre>
 *
 * <p>A request begins with three hashes and its name. Lines with one hash say how it is sent:
 * {@code expect} the accepted statuses, the intended one first; {@code array} or {@code lines} how
 * many copies the body has; {@code pack gzip} or {@code zstd} its compression; {@code times} how
 * often the crowd sends it in a turn, without which only the branches include it; {@code seldom}
 * that it is sent once, because its code is rarely used and would keep the compiler from the rest;
 * {@code remember} a placeholder that is set from the response for later requests of the connection
 * ({@link ResponseCapture}); {@code where} parts that the server must have. Then follow the method
 * and the path, the headers, an empty line and the body. Immutable.
 *
 * @param name the part's, as in {@code collect}
 */
public record WarmUpScript(String name, List<ScriptRequest> shots) {
  public WarmUpScript {
    shots = List.copyOf(shots);
  }

  /**
   * Reads the script beside a class, as {@code warmup.http}.
   *
   * @throws IllegalStateException when it is missing or cannot be read
   */
  public static WarmUpScript beside(Class<?> part, String name) {
    byte[] text = ProgramFile.bytes(part, "warmup.http");
    return parse(name, new String(text, StandardCharsets.UTF_8));
  }

  /** The requests that a server with these parts can answer. */
  public WarmUpScript where(Set<String> parts) {
    return new WarmUpScript(
        name, shots.stream().filter(request -> parts.containsAll(request.parts())).toList());
  }

  /**
   * Parses a script; the format is described above.
   *
   * @throws IllegalStateException when it is malformed; the message names the line
   */
  public static WarmUpScript parse(String name, String text) {
    List<ScriptRequest> shots = new ArrayList<>();
    Reader reader = null;
    int number = 0;
    for (String line : text.lines().toList()) {
      number++;
      if (line.startsWith("###")) {
        if (reader != null) {
          shots.add(reader.shot());
        }
        reader = new Reader(line.substring(3).strip());
      } else if (reader != null) {
        try {
          reader.take(line);
        } catch (IllegalArgumentException wrong) {
          throw new IllegalStateException(
              name + ", line " + number + ": " + wrong.getMessage(), wrong);
        }
      }
    }
    if (reader != null) {
      shots.add(reader.shot());
    }
    return new WarmUpScript(name, shots);
  }

  /** A request of the script while it is parsed, line by line. */
  private static final class Reader {
    private final String name;
    private final List<String> headers = new ArrayList<>();
    private final StringBuilder body = new StringBuilder();
    private final List<Integer> expected = new ArrayList<>();
    private @Nullable String method;
    private String path = "";
    private boolean inBody;
    private ScriptRequest.Form form = ScriptRequest.Form.PLAIN;
    private int copies = 1;
    private ScriptRequest.Packing packing = ScriptRequest.Packing.NONE;
    private int times;
    private boolean isSeldom;
    private final List<ResponseCapture> remembers = new ArrayList<>();
    private final Set<String> parts = new TreeSet<>();

    Reader(String name) {
      this.name = name;
    }

    void take(String line) {
      if (inBody) {
        body.append(body.isEmpty() ? "" : "\n").append(line);
      } else if (method == null && line.startsWith("# ")) {
        say(line.substring(2).strip().split(" +"));
      } else if (method == null && !line.isBlank()) {
        int blank = line.indexOf(' ');
        if (blank < 0) {
          throw new IllegalArgumentException("expected a method and a path");
        }
        method = line.substring(0, blank);
        path = line.substring(blank + 1).strip();
      } else if (method != null && line.isBlank()) {
        inBody = true;
      } else if (method != null) {
        headers.add(line);
      }
    }

    private void say(String[] words) {
      String value = words.length > 1 ? words[1] : "";
      switch (words[0]) {
        case "expect" -> {
          for (int i = 1; i < words.length; i++) {
            expected.add(Integer.valueOf(words[i]));
          }
        }
        case "array" -> copies(ScriptRequest.Form.ARRAY, value);
        case "lines" -> copies(ScriptRequest.Form.LINES, value);
        case "pack" -> packing = ScriptRequest.Packing.valueOf(value.toUpperCase(Locale.ROOT));
        case "seldom" -> isSeldom = true;
        case "times" -> times = Integer.parseInt(value);
        case "remember" -> remembers.add(ResponseCapture.of(words));
        case "where" -> parts.addAll(List.of(words).subList(1, words.length));
        default -> throw new IllegalArgumentException("unknown: " + words[0]);
      }
    }

    private void copies(ScriptRequest.Form as, String count) {
      form = as;
      copies = Integer.parseInt(count);
    }

    ScriptRequest shot() {
      String asked = method;
      if (asked == null || expected.isEmpty()) {
        throw new IllegalStateException(name + ": without a request, or what to expect of it");
      }
      return new ScriptRequest(
          name,
          asked,
          path,
          List.copyOf(headers),
          new ScriptRequest.Body(body.toString().strip(), form, copies, packing),
          List.copyOf(expected),
          new ScriptRequest.Turns(times, isSeldom),
          List.copyOf(remembers),
          Set.copyOf(parts));
    }
  }
}

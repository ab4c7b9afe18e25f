package gilmok.collect.format;

import gilmok.collect.format.Format.Content;
import gilmok.collect.format.Format.FormatAnswer;
import gilmok.collect.format.Format.Others;
import gilmok.collect.format.Format.Shape;
import gilmok.collect.json.JsonPointers;
import gilmok.event.EventKind;
import gilmok.event.JsonBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Reads the declaration of a format, as its YAML parser has it, and names everything that is wrong
 * with it: each problem begins with the field's name. Not thread-safe: one for each declaration.
 */
public final class FormatParser {
  private static final int BODY_CHARS_MAX = 4_096;
  private static final Pattern NAME = Pattern.compile("[a-z0-9][a-z0-9-]{0,39}");
  private static final Pattern PATH = Pattern.compile("(/([\\w.~!$&'()*+,;=:@%-]+|\\{\\w+}))+/?");
  private static final Set<String> MEMBERS =
      Set.of(
          "method",
          "path",
          "content",
          "stream",
          "records",
          "columns",
          "separator",
          "fields",
          "attributes",
          "constants",
          "answer",
          "then");
  private static final Set<String> OF_ANSWER = Set.of("status", "type", "body");

  /** Paths of the server's own begin with these segments. */
  static final Set<String> RESERVED =
      Set.of(
          "v1",
          "health",
          "metrics",
          "ops",
          "t",
          "osmand",
          "pub",
          "owntracks",
          "overland",
          "gpslogger",
          "docs",
          "login",
          "session",
          "assets",
          "map",
          "version",
          "favicon.ico",
          "robots.txt");

  private static final Map<String, EventKind> KINDS =
      Map.of("traces", EventKind.POSITION, "actions", EventKind.ACTION, "logs", EventKind.LOG_LINE);

  private final String name;
  private final FormatFaults faults = new FormatFaults();

  /**
   * @param name of the format, as the file is called
   */
  public FormatParser(String name) {
    this.name = name;
  }

  /** Everything that is wrong with the declaration. */
  public List<String> problems() {
    return faults.all();
  }

  /** Reads a declaration; null when something is wrong with it, which {@link #problems} says. */
  public @Nullable Format parse(Map<?, ?> tree) {
    if (!NAME.matcher(name).matches()) {
      faults.problem("", "the file's name must be small letters, digits and dashes, at most 40");
    }
    faults.only("", tree, MEMBERS);
    Content content = choice(tree, "content", Content.JSON, Content.class);
    EventKind kind = kind(tree);
    Shape shape = shape(tree, content);
    Set<String> segments = new HashSet<>();
    String path = path(tree, segments);
    List<FieldRule> rules = new FieldParser(faults, shape, segments).parse(tree, kind);
    Format format =
        new Format(
            name,
            method(tree, content),
            path,
            kind,
            shape,
            rules,
            others(tree),
            constants(tree),
            answer(tree));
    if (faults.all().isEmpty()) {
      FormatPointers.of(format, faults::problem);
    }
    return faults.all().isEmpty() ? format : null;
  }

  private <E extends Enum<E>> E choice(Map<?, ?> tree, String key, E usual, Class<E> type) {
    String given = faults.text(tree, "", key);
    if (given == null) {
      return usual;
    }
    for (E one : type.getEnumConstants()) {
      if (one.name().toLowerCase(Locale.ROOT).equals(given)) {
        return one;
      }
    }
    faults.problem(
        key,
        "is \""
            + given
            + "\", none of "
            + Arrays.stream(type.getEnumConstants())
                .map(one -> one.name().toLowerCase(Locale.ROOT))
                .collect(Collectors.joining(", ")));
    return usual;
  }

  private EventKind kind(Map<?, ?> tree) {
    String given = faults.text(tree, "", "stream");
    EventKind kind = KINDS.get(given == null ? "traces" : given);
    if (kind == null) {
      faults.problem("stream", "is \"" + given + "\", none of traces, actions, logs");
      return EventKind.POSITION;
    }
    return kind;
  }

  private String method(Map<?, ?> tree, Content content) {
    String given = faults.text(tree, "", "method");
    String method = given == null ? "POST" : given;
    if (!Set.of("GET", "POST", "PUT").contains(method)) {
      faults.problem("method", "is \"" + method + "\", none of GET, POST, PUT");
    } else if (method.equals("GET") && content != Content.FORM) {
      faults.problem("method", "a GET has no body: content must be form");
    }
    return method;
  }

  private String path(Map<?, ?> tree, Set<String> segments) {
    String path = faults.text(tree, "", "path");
    if (path == null) {
      faults.problem("path", "is missing, as in /data/agents/actions");
      return "/";
    }
    if (!PATH.matcher(path).matches()) {
      faults.problem("path", "must be segments after slashes, as in /data/{agentId}/actions");
      return "/";
    }
    String first = path.split("/")[1];
    if (RESERVED.contains(first)) {
      faults.problem("path", "begins with /" + first + ", which is the server's own");
    }
    for (String segment : path.substring(1).split("/")) {
      if (segment.startsWith("{") && !segments.add(segment.substring(1, segment.length() - 1))) {
        faults.problem("path", "has " + segment + " twice");
      }
    }
    return path;
  }

  private Shape shape(Map<?, ?> tree, Content content) {
    String records = faults.text(tree, "", "records");
    String fault = records == null ? null : JsonPointers.fault(records);
    if (records != null && content != Content.JSON) {
      faults.problem("records", "is for content json only");
    } else if (fault != null) {
      faults.problem("records", fault);
    }
    List<String> columns = new ArrayList<>();
    Object given = tree.get("columns");
    if (given != null && content != Content.CSV) {
      faults.problem("columns", "is for content csv only");
    } else if (given instanceof List<?> list) {
      list.forEach(one -> columns.add(String.valueOf(one)));
      if (new HashSet<>(columns).size() < columns.size()) {
        faults.problem("columns", "has a name twice");
      }
    } else if (given != null) {
      faults.problem("columns", "must be a list of names");
    }
    String separator = faults.text(tree, "", "separator");
    if (separator != null && content != Content.CSV) {
      faults.problem("separator", "is for content csv only");
    } else if (separator != null && !Set.of(",", ";", "\t", "|").contains(separator)) {
      faults.problem("separator", "must be a comma, a semicolon, a tab or a vertical bar");
    }
    return new Shape(
        content,
        records == null ? "" : records,
        columns,
        separator == null ? ',' : separator.charAt(0));
  }

  private Others others(Map<?, ?> tree) {
    Object given = tree.get("attributes");
    if (given instanceof List<?> list) {
      return new Others(list.stream().map(String::valueOf).toList());
    }
    if (given == null || given.equals("keep")) {
      return Others.KEEP;
    }
    if (!given.equals("drop")) {
      faults.problem("attributes", "must be keep, drop, or a list of names to keep");
    }
    return Others.DROP;
  }

  private Map<String, String> constants(Map<?, ?> tree) {
    Object given = tree.get("constants");
    Map<String, String> constants = new LinkedHashMap<>();
    if (given instanceof Map<?, ?> map) {
      map.forEach(
          (key, value) -> {
            switch (value) {
              case String text ->
                  constants.put(String.valueOf(key), new JsonBuffer().string(text).toString());
              case Number number -> constants.put(String.valueOf(key), number.toString());
              case Boolean truth -> constants.put(String.valueOf(key), truth.toString());
              case null, default ->
                  faults.problem("constants." + key, "must be a text, a number, true or false");
            }
          });
    } else if (given != null) {
      faults.problem("constants", "must be name: value");
    }
    return constants;
  }

  private FormatAnswer answer(Map<?, ?> tree) {
    Object given = tree.get("answer");
    String then = faults.text(tree, "", "then");
    if (then != null && !then.equals("indicators")) {
      faults.problem("then", "is \"" + then + "\", which is not indicators");
    }
    boolean hasIndicators = then != null;
    if (given == null) {
      return new FormatAnswer(200, "", "", hasIndicators);
    }
    if (!(given instanceof Map<?, ?> map)) {
      faults.problem("answer", "must have status, type, body");
      return new FormatAnswer(200, "", "", hasIndicators);
    }
    faults.only("answer.", map, OF_ANSWER);
    Object status = map.get("status");
    int code = status instanceof Integer number ? number : 200;
    if ((status != null && !(status instanceof Integer)) || code < 200 || code > 299) {
      faults.problem("answer.status", "must be 200 to 299: it tells the app that all is stored");
    }
    String body = faults.text(map, "answer.", "body");
    String type = faults.text(map, "answer.", "type");
    if (body != null && (code == 204 || code == 205)) {
      faults.problem("answer.body", "an answer of " + code + " has none");
    }
    if (body != null && body.length() > BODY_CHARS_MAX) {
      faults.problem("answer.body", "has more than " + BODY_CHARS_MAX + " characters");
    }
    if (type != null
        && (body == null || !type.matches("[\\w.+-]+/[\\w.+-]+(; ?[\\w-]+=[\\w-]+)*"))) {
      faults.problem("answer.type", "must be a media type, as application/json is, of a body");
    }
    String usual = body == null ? "" : "application/json";
    return new FormatAnswer(
        code, type == null ? usual : type, body == null ? "" : body, hasIndicators);
  }
}

package gilmok.collect.json;

import gilmok.event.EventKind;
import gilmok.event.JsonBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;

/**
 * Reads a text as a {@link JsonDocument} and with Jackson, and checks that the results are equal.
 */
final class DocumentComparison {
  private static final int BEFORE = 3;
  private static final Pattern SURROGATE = Pattern.compile("(\\\\u)[dD][89a-fA-F]");

  private final JsonFactory json =
      JsonFactory.builder()
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(Integer.MAX_VALUE)
                  .maxNumberLength(Integer.MAX_VALUE)
                  .maxStringLength(Integer.MAX_VALUE)
                  .maxNameLength(Integer.MAX_VALUE)
                  .build())
          .build();
  private final JsonDocument document = new JsonDocument();
  private final JsonBuffer copy = new JsonBuffer();
  private String text = "";

  /**
   * Checks a text that has other bytes around it in its array: the reader must not read those.
   *
   * @return whether the text is JSON
   */
  boolean check(byte[] body) {
    byte[] around = new byte[body.length + 7];
    Arrays.fill(around, (byte) '}');
    System.arraycopy(body, 0, around, BEFORE, body.length);
    int root = document.read(around, BEFORE, body.length);
    text = new String(body, StandardCharsets.ISO_8859_1);
    Tree expected = tree();
    same("is JSON", root != JsonDocument.NONE, expected != null);
    if (expected == null) {
      same("has a reason", document.errorReason().isEmpty(), false);
      return false;
    }
    same("root", root, 0);
    same("behind the root", document.next(root), JsonDocument.NONE);
    walk(root, expected);
    return true;
  }

  private @Nullable Tree tree() {
    int mark = text.startsWith("\u00ef\u00bb\u00bf") ? 3 : 0;
    String syntax = SURROGATE.matcher(text).replaceAll("$1f0");
    try (JsonParser parser = json.createParser(ObjectReadContext.empty(), syntax.substring(mark))) {
      if (parser.nextToken() == null) {
        return null;
      }
      Tree tree = Tree.read(parser, text, mark, 0);
      return parser.nextToken() == null ? tree : null;
    } catch (JacksonException | Tree.TooDeep e) {
      return null;
    }
  }

  private void walk(int value, Tree expected) {
    String slice = text.substring(expected.start(), expected.end());
    same("start", document.start(value) - BEFORE, expected.start());
    same("end", document.end(value) - BEFORE, expected.end());
    same("object", document.isObject(value), expected.type() == '{');
    same("array", document.isArray(value), expected.type() == '[');
    same("string", document.isText(value), expected.type() == '"');
    same("number", document.isNumber(value), expected.type() == '0');
    same("boolean", document.isBoolean(value), slice.equals("true") || slice.equals("false"));
    same("true", document.isTrue(value), slice.equals("true"));
    same("null", document.isNull(value), slice.equals("null"));
    double number = expected.type() == '0' ? Double.parseDouble(slice) : Double.NaN;
    same("double", document.number(value), number);
    keep(value, expected);
    int child = document.first(value);
    for (int i = 0; i < expected.values().size(); i++) {
      if (expected.type() == '{') {
        name(value, child, expected.names().get(i));
      } else {
        same("name of an element", document.name(child), "");
      }
      walk(child, expected.values().get(i));
      child = document.next(child);
    }
    same("behind the last", child, JsonDocument.NONE);
  }

  /** Compares what is kept of a value, if it can be kept, and what a string means. */
  private void keep(int value, Tree expected) {
    RecordOracle oracle = new RecordOracle(EventKind.POSITION, text);
    String compact = oracle.compact(expected);
    same("fault", String.valueOf(document.fault(value)), String.valueOf(oracle.reason()));
    if (oracle.reason() == null) {
      copy.clear();
      document.copy(value, copy);
      same("copy", copy.toString(), compact);
    }
    if (expected.type() == '"' && oracle.reason() == null) {
      same("text", document.text(value), oracle.string(expected, ""));
    } else if (expected.type() != '"') {
      same("text", String.valueOf(document.text(value)), "null");
    }
  }

  private void name(int object, int member, Tree expected) {
    RecordOracle oracle = new RecordOracle(EventKind.POSITION, text);
    String name = oracle.string(expected, "");
    if (name != null) {
      same("name", document.name(member), name);
      boolean isAscii = name.chars().allMatch(c -> c < 0x80);
      same("is named", !isAscii || document.isNamed(member, name), true);
      same("is named longer", document.isNamed(member, name + "x"), false);
      int first = document.member(object, name);
      same("found", !isAscii || (first >= 0 && first <= member), true);
    }
  }

  private static void same(String what, @Nullable Object actual, @Nullable Object expected) {
    if (actual == null || !actual.equals(expected)) {
      throw new AssertionError(what + ": document: " + actual + "\n oracle: " + expected);
    }
  }
}

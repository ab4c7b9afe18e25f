package gilmok.collect.json;

import java.io.Serial;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/**
 * A JSON value with the offsets of its parts, as found by Jackson's streaming parser. The text has
 * one character for each byte of the body, so offsets count bytes; {@link Oracle} decodes the
 * strings.
 */
record Tree(char type, int start, int end, List<Tree> names, List<Tree> values) {
  static final int DEPTH_MAX = 32;

  /** Thrown for a value nested deeper than {@link #DEPTH_MAX}. */
  static final class TooDeep extends RuntimeException {
    @Serial private static final long serialVersionUID = 1L;
  }

  /**
   * Reads the value that begins with the parser's current token.
   *
   * @param depth how many arrays and objects enclose it
   */
  static Tree read(JsonParser parser, String text, int base, int depth) {
    int start = base + (int) parser.currentTokenLocation().getCharOffset();
    return switch (parser.currentToken()) {
      case START_OBJECT, START_ARRAY -> nested(parser, text, base, start, depth + 1);
      case VALUE_STRING, PROPERTY_NAME -> {
        parser.getString();
        yield leaf('"', start, stringEnd(text, start));
      }
      case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT ->
          leaf('0', start, start + parser.getString().length());
      case VALUE_NULL -> leaf('n', start, start + 4);
      case VALUE_TRUE -> leaf('t', start, start + 4);
      case VALUE_FALSE -> leaf('t', start, start + 5);
      default -> throw new IllegalStateException(parser.currentToken().toString());
    };
  }

  private static Tree nested(JsonParser parser, String text, int base, int start, int depth) {
    if (depth > DEPTH_MAX) {
      throw new TooDeep();
    }
    char type = parser.currentToken() == JsonToken.START_OBJECT ? '{' : '[';
    List<Tree> names = new ArrayList<>();
    List<Tree> values = new ArrayList<>();
    while (true) {
      JsonToken token = parser.nextToken();
      if (token == JsonToken.END_OBJECT || token == JsonToken.END_ARRAY) {
        int end = base + (int) parser.currentTokenLocation().getCharOffset() + 1;
        return new Tree(type, start, end, names, values);
      }
      int inner = depth;
      if (token == JsonToken.PROPERTY_NAME) {
        inner -= depth == 0 && parser.getString().equals("attributes") ? 1 : 0;
        names.add(read(parser, text, base, depth));
        parser.nextToken();
      }
      values.add(read(parser, text, base, inner));
    }
  }

  private static Tree leaf(char type, int start, int end) {
    return new Tree(type, start, end, List.of(), List.of());
  }

  private static int stringEnd(String text, int start) {
    int p = start + 1;
    while (text.charAt(p) != '"') {
      p += text.charAt(p) == '\\' ? 2 : 1;
    }
    return p + 1;
  }
}

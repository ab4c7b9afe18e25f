package gilmok.collect.json;

import gilmok.event.EventKind;
import gilmok.event.Reason;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;

/**
 * The decoder's contract, implemented a second time, slowly and simply: Jackson for the syntax,
 * {@link RecordOracle} for the rules. It shares only the texts of the reasons with the scanner.
 */
final class Oracle {
  static final int RECORDS_MAX = 10_000;

  /** A reject: where it is in the body, and why. */
  record Reject(int index, String field, String reason, int start, int end) {}

  /** The expected result for a body. */
  record Verdict(DecodeOutcome outcome, List<Accepted> events, List<Reject> rejects) {}

  /** An expected event. */
  record Accepted(int index, RecordOracle.Values values) {}

  private static final class TooMany extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

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

  private final EventKind kind;
  private final String text;

  /**
   * The text that Jackson parses. Jackson refuses lone surrogates in names as a syntax error; for
   * us they break a rule of the record, so they are replaced here.
   */
  private final String syntax;

  private final List<Accepted> events = new ArrayList<>();
  private final List<Reject> rejects = new ArrayList<>();

  private Oracle(EventKind kind, byte[] body) {
    this.kind = kind;
    text = new String(body, StandardCharsets.ISO_8859_1);
    syntax = SURROGATE.matcher(text).replaceAll("$1f0");
  }

  static Verdict decode(EventKind kind, byte[] body) {
    return new Oracle(kind, body).decode();
  }

  private Verdict decode() {
    int p = blanks(text.startsWith("\u00ef\u00bb\u00bf") ? 3 : 0);
    if (p == text.length()) {
      return new Verdict(DecodeOutcome.UNREADABLE, List.of(), List.of());
    }
    try {
      if (text.charAt(p) == '[') {
        array(p);
      } else {
        lines(p);
      }
      return new Verdict(DecodeOutcome.READ, events, rejects);
    } catch (JacksonException | Tree.TooDeep e) {
      return new Verdict(DecodeOutcome.UNREADABLE, List.of(), List.of());
    } catch (TooMany e) {
      return new Verdict(DecodeOutcome.TOO_MANY, List.of(), List.of());
    }
  }

  private void array(int from) {
    try (JsonParser parser = json.createParser(ObjectReadContext.empty(), syntax.substring(from))) {
      parser.nextToken();
      for (int index = 0; parser.nextToken() != JsonToken.END_ARRAY; index++) {
        if (index == RECORDS_MAX) {
          throw new TooMany();
        }
        boolean isObject = parser.currentToken() == JsonToken.START_OBJECT;
        judge(Tree.read(parser, text, from, isObject ? -1 : 0), index);
      }
      parser.nextToken();
      if (parser.currentToken() != null) {
        throw new Tree.TooDeep();
      }
    }
  }

  private void lines(int from) {
    int index = 0;
    for (int p = from; p < text.length(); index++) {
      if (index == RECORDS_MAX) {
        throw new TooMany();
      }
      p = blanks(line(p, index));
    }
  }

  private int line(int p, int index) {
    String reason = Reason.NOT_JSON;
    try (JsonParser parser = json.createParser(ObjectReadContext.empty(), syntax.substring(p))) {
      boolean isObject = parser.nextToken() == JsonToken.START_OBJECT;
      Tree tree = Tree.read(parser, text, p, isObject ? -1 : 0);
      if (isObject || tree.end() == text.length() || blanks(tree.end()) > tree.end()) {
        judge(tree, index);
        return tree.end();
      }
    } catch (JacksonException e) {
      reason = Reason.NOT_JSON;
    } catch (Tree.TooDeep e) {
      reason = Reason.NESTED_TOO_DEEP;
    }
    int end = p;
    while (end < text.length() && text.charAt(end) != '\n' && text.charAt(end) != '\r') {
      end++;
    }
    rejects.add(new Reject(index, "", reason, p, end));
    return end;
  }

  private void judge(Tree tree, int index) {
    if (tree.type() != '{') {
      rejects.add(new Reject(index, "", Reason.NOT_AN_OBJECT, tree.start(), tree.end()));
      return;
    }
    RecordOracle record = new RecordOracle(kind, text);
    record.judge(tree);
    if (record.reason() == null) {
      events.add(new Accepted(index, record.values()));
    } else {
      rejects.add(new Reject(index, record.field(), record.reason(), tree.start(), tree.end()));
    }
  }

  private int blanks(int from) {
    int p = from;
    while (p < text.length() && " \t\r\n".indexOf(text.charAt(p)) >= 0) {
      p++;
    }
    return p;
  }
}

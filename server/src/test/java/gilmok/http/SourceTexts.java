package gilmok.http;

import gilmok.Repository;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The texts in the server's Java sources, as far as they can be told without a compiler. A text is
 * a literal, or a sum of literals and other operands; each other operand is written as {}.
 * Constants count as the literal they hold.
 */
final class SourceTexts {
  /** The calls that are given a reason: the field comes first, if there is one. */
  private static final Set<String> CALLS =
      Set.of(
          "Bad",
          "Conflict",
          "Fault",
          "QueryCheck",
          "Unusable",
          "Wrong",
          "broken",
          "conflict",
          "fault",
          "invalid",
          "note",
          "refuse",
          "refused",
          "reject",
          "rejectAll",
          "unreadable",
          "wrong");

  /** The methods that return a reason. */
  private static final Set<String> METHODS =
      Set.of(
          "bounds",
          "fault",
          "lineReason",
          "notWhole",
          "outside",
          "refusal",
          "stranger",
          "urlFault",
          "whyNoId",
          "whyNoName");

  /** The variables that hold a reason. */
  private static final Set<String> VARIABLES = Set.of("errorReason", "fault", "reason");

  /**
   * The packages that refuse requests; others have calls of these names that are not about any. Why
   * a webhook failed is told in answers, but refuses none.
   */
  private static final Pattern REFUSING =
      Pattern.compile(
          "(?!.*/WebhookFailures[.]java).*/gilmok/(auth|audit|collect|compress|deliveries|event|http|keys|ledger|missions|pages|"
              + "phones|positions|runsheet|statements)/.*");

  private static final Pattern TOKEN =
      Pattern.compile(
          "//[^\n]*+|/[*](?s:.*?)[*]/|\"\"\"(?s:.*?)\"\"\"|\"(?:\\\\.|[^\"\\\\])*+\""
              + "|'(?:\\\\.|[^'\\\\])++'|[A-Za-z_]\\w*+|\\d[\\w.]*+|\\s++|(?s:.)");

  private static final String VARIABLE = "{}";
  private static final Pattern CONSTANT = Pattern.compile("[A-Z][A-Z0-9_]*");
  private static final Pattern FORMAT = Pattern.compile("%[ds]");

  private final Map<String, String> constants = new HashMap<>();
  private final Set<String> all = new HashSet<>();
  private final Set<String> reasons = new TreeSet<>();

  /** Reads all sources. */
  SourceTexts() throws IOException {
    Map<Path, List<String>> sources = new HashMap<>();
    for (Path file : Repository.files()) {
      if (file.startsWith("server/src/main/java") && file.toString().endsWith(".java")) {
        List<String> tokens = tokens(Files.readString(Repository.root().resolve(file)));
        sources.put(file, tokens);
        findConstants(type(file), tokens);
      }
    }
    sources.forEach((file, tokens) -> read(file, resolved(type(file), tokens)));
  }

  /** All texts. */
  Set<String> all() {
    return all;
  }

  /** Those that are the reason of a refusal. */
  Set<String> reasons() {
    return reasons;
  }

  private static String type(Path file) {
    return file.getFileName().toString().replace(".java", "");
  }

  private static List<String> tokens(String source) {
    Matcher matcher = TOKEN.matcher(source);
    List<String> tokens = new ArrayList<>();
    while (matcher.find()) {
      String token = matcher.group();
      if (!token.isBlank() && !token.startsWith("//") && !token.startsWith("/*")) {
        tokens.add(token);
      }
    }
    return tokens;
  }

  private void findConstants(String type, List<String> tokens) {
    for (int i = 0; i + 4 < tokens.size(); i++) {
      if (tokens.get(i).equals("String")
          && CONSTANT.matcher(tokens.get(i + 1)).matches()
          && tokens.get(i + 2).equals("=")
          && isLiteral(tokens.get(i + 3))
          && tokens.get(i + 4).equals(";")) {
        constants.put(type + "." + tokens.get(i + 1), tokens.get(i + 3));
      }
    }
  }

  private List<String> resolved(String type, List<String> tokens) {
    List<String> resolved = new ArrayList<>(tokens.size());
    for (int i = 0; i < tokens.size(); i++) {
      boolean isQualified = i + 2 < tokens.size() && tokens.get(i + 1).equals(".");
      String other = isQualified ? constants.get(tokens.get(i) + "." + tokens.get(i + 2)) : null;
      String own = constants.get(type + "." + tokens.get(i));
      if (other != null) {
        resolved.add(other);
        i += 2;
      } else {
        resolved.add(own == null ? tokens.get(i) : own);
      }
    }
    return resolved;
  }

  private void read(Path file, List<String> tokens) {
    all.addAll(texts(tokens));
    if (!REFUSING.matcher(file.toString()).matches()) {
      return;
    }
    for (int i = 0; i + 1 < tokens.size(); i++) {
      if (VARIABLES.contains(tokens.get(i)) && tokens.get(i + 1).equals("=")) {
        addSentences(tokens.subList(i, i + tokens.subList(i, tokens.size()).indexOf(";")));
      }
      if (!tokens.get(i + 1).equals("(")) {
        continue;
      }
      int end = end(tokens, i + 1);
      if (CALLS.contains(tokens.get(i))) {
        addReasons(tokens.subList(i + 2, end));
      }
      if (METHODS.contains(tokens.get(i)) && end + 1 < tokens.size()) {
        if (tokens.get(end + 1).equals("{")) {
          addSentences(tokens.subList(end + 2, end(tokens, end + 1)));
        }
      }
    }
  }

  private void addSentences(List<String> tokens) {
    texts(tokens).stream().filter(SourceTexts::isSentence).forEach(reasons::add);
  }

  /**
   * Adds the reasons among a call's arguments: the first text is the field, unless it has blanks.
   */
  private void addReasons(List<String> arguments) {
    boolean isFirst = true;
    int from = 0;
    for (int i = 0; i <= arguments.size(); i++) {
      if (i == arguments.size() || arguments.get(i).equals(",")) {
        List<String> texts = texts(arguments.subList(from, i));
        for (String text : texts) {
          if (isSentence(text) || (!isFirst && !text.isEmpty() && !text.startsWith("\""))) {
            reasons.add(text);
          }
        }
        isFirst &= texts.isEmpty();
        from = i + 1;
      } else if (isOpen(arguments.get(i))) {
        i = end(arguments, i);
      }
    }
  }

  private static boolean isSentence(String text) {
    return text.strip().indexOf(' ') >= 0 && !text.startsWith("\"");
  }

  private static List<String> texts(List<String> tokens) {
    List<String> texts = new ArrayList<>();
    int i = 0;
    while (i < tokens.size()) {
      if (isLiteral(tokens.get(i))) {
        StringBuilder text = new StringBuilder();
        text.append(i > 0 && tokens.get(i - 1).equals("+") ? VARIABLE : "");
        i = sum(tokens, i, text, texts);
        texts.add(FORMAT.matcher(text).replaceAll(VARIABLE));
      } else {
        i++;
      }
    }
    return texts;
  }

  /** Reads a sum whose first literal is at {@code i}; returns where it ends. */
  private static int sum(List<String> tokens, int first, StringBuilder text, List<String> inner) {
    int i = first;
    while (true) {
      if (isLiteral(tokens.get(i))) {
        text.append(value(tokens.get(i)));
        i++;
      } else {
        int from = i;
        while (i < tokens.size() && !isBehindOperand(tokens.get(i))) {
          i = isOpen(tokens.get(i)) ? end(tokens, i) + 1 : i + 1;
        }
        inner.addAll(texts(tokens.subList(from, i)));
        text.append(VARIABLE);
      }
      if (i + 1 >= tokens.size() || !tokens.get(i).equals("+")) {
        return i;
      }
      i++;
    }
  }

  private static boolean isBehindOperand(String token) {
    return switch (token) {
      case "+", ",", ";", ")", "?", ":", "]", "}" -> true;
      default -> false;
    };
  }

  private static boolean isOpen(String token) {
    return token.equals("(") || token.equals("[") || token.equals("{");
  }

  /** Where what is opened there ends. */
  private static int end(List<String> tokens, int open) {
    int depth = 0;
    for (int i = open; i < tokens.size(); i++) {
      String token = tokens.get(i);
      depth += isOpen(token) ? 1 : 0;
      depth -= token.equals(")") || token.equals("]") || token.equals("}") ? 1 : 0;
      if (depth == 0) {
        return i;
      }
    }
    return tokens.size();
  }

  private static boolean isLiteral(String token) {
    return token.charAt(0) == '"';
  }

  private static String value(String literal) {
    return literal.startsWith("\"\"\"")
        ? literal.substring(3, literal.length() - 3)
        : literal.substring(1, literal.length() - 1).replace("\\\"", "\"");
  }
}

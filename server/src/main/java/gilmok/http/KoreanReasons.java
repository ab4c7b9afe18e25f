package gilmok.http;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The titles and reasons of refusals in Korean. The code gives them in English, as constants where
 * it can; only for a client that prefers Korean are they looked up here. The texts are read from
 * {@code reasons-ko.txt} at first use. Immutable.
 */
final class KoreanReasons {
  private static final String FILE = "reasons-ko.txt";
  private static final String BETWEEN = " = ";

  /** A longer text is no reason of ours, and is not compared with the templates. */
  private static final int CHARS_MAX = 1000;

  private static final class Known {
    static final KoreanReasons ALL = new KoreanReasons(lines());
  }

  private final Map<String, String> exact = new HashMap<>();
  private final List<Template> templates = new ArrayList<>();

  private KoreanReasons(List<String> lines) {
    for (String line : lines) {
      String english = english(line);
      String korean = line.substring(english.length() + BETWEEN.length());
      if (english.indexOf('{') >= 0) {
        templates.add(Template.of(english, korean));
      } else {
        exact.put(english, korean);
      }
    }
    // What says most comes first: "over {} bytes" also fits "over {}".
    templates.sort(Comparator.comparingInt(Template::fixedChars).reversed());
  }

  /** The reason in Korean; as it is when it is not known, so that no reason is lost. */
  static String of(String reason) {
    String korean = find(reason);
    return korean == null ? reason : korean;
  }

  /** The reason in Korean; null when it is not known. */
  static @Nullable String find(String reason) {
    String korean = Known.ALL.exact.get(reason);
    if (korean != null || reason.length() > CHARS_MAX) {
      return korean;
    }
    for (Template template : Known.ALL.templates) {
      List<String> values = template.values(reason);
      if (values != null) {
        return template.filled(values);
      }
    }
    return null;
  }

  /** The lines of the file that hold a text. */
  static List<String> lines() {
    try (InputStream in = KoreanReasons.class.getResourceAsStream(FILE);
        BufferedReader reader =
            new BufferedReader(
                new InputStreamReader(Objects.requireNonNull(in), StandardCharsets.UTF_8))) {
      return reader.lines().filter(line -> !line.isEmpty() && line.charAt(0) != '#').toList();
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  /** The English text of a line. */
  static String english(String line) {
    return line.substring(0, line.indexOf(BETWEEN));
  }

  /** What a part of a reason that varies may be. */
  private enum Part {
    NUMBER("{}"),
    TEXT("{text}"),
    REASON("{reason}");

    final String mark;

    Part(String mark) {
      this.mark = mark;
    }

    boolean fits(String value) {
      return !value.isEmpty() && (this != NUMBER || value.chars().allMatch(Part::isOfNumber));
    }

    /** Of numbers as Java writes them, such as 1.0E-4. */
    private static boolean isOfNumber(int c) {
      return (c >= '0' && c <= '9') || "-.E".indexOf(c) >= 0;
    }
  }

  /**
   * A reason with parts that vary.
   *
   * @param fixed the text before, between and behind the parts that vary
   */
  private record Template(List<String> fixed, List<Part> parts, String korean) {
    static Template of(String english, String korean) {
      List<String> fixed = new ArrayList<>();
      List<Part> parts = new ArrayList<>();
      int at = 0;
      for (int open = english.indexOf('{'); open >= 0; open = english.indexOf('{', at)) {
        String mark = english.substring(open, english.indexOf('}', open) + 1);
        fixed.add(english.substring(at, open));
        parts.add(
            Arrays.stream(Part.values())
                .filter(part -> part.mark.equals(mark))
                .findAny()
                .orElseThrow());
        at = open + mark.length();
      }
      fixed.add(english.substring(at));
      return new Template(List.copyOf(fixed), List.copyOf(parts), korean);
    }

    int fixedChars() {
      return fixed.stream().mapToInt(String::length).sum();
    }

    /** The parts that vary; null when the reason is none of this template. */
    @Nullable List<String> values(String reason) {
      if (!reason.startsWith(fixed.getFirst())) {
        return null;
      }
      List<String> values = new ArrayList<>(parts.size());
      int at = fixed.getFirst().length();
      for (int i = 1; i < fixed.size(); i++) {
        String behind = fixed.get(i);
        boolean isLast = i == fixed.size() - 1;
        int end = isLast ? reason.length() - behind.length() : reason.indexOf(behind, at);
        if (end < at || !reason.startsWith(behind, end)) {
          return null;
        }
        String value = reason.substring(at, end);
        if (!parts.get(i - 1).fits(value)) {
          return null;
        }
        values.add(value);
        at = end + behind.length();
      }
      return values;
    }

    /** The Korean text, in which {1} is the first value. */
    String filled(List<String> values) {
      StringBuilder text = new StringBuilder(korean.length() + 32);
      int at = 0;
      for (int open = korean.indexOf('{'); open >= 0; open = korean.indexOf('{', at)) {
        int which = korean.charAt(open + 1) - '1';
        String value = values.get(which);
        text.append(korean, at, open);
        text.append(parts.get(which) == Part.REASON ? KoreanReasons.of(value) : value);
        at = open + "{1}".length();
      }
      return text.append(korean, at, korean.length()).toString();
    }
  }
}

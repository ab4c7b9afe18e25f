package gilmok.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/**
 * The parts of a command's help as text of a terminal's width. Lines are broken at blanks alone;
 * picocli would break them inside of {@code ./data} and {@code sinks.enabled}, too. Pure functions.
 */
final class HelpPage {
  /** The width of a terminal that was not resized. */
  static final int COLUMNS = 80;

  /** The column where descriptions begin at the latest; a longer name has a line for itself. */
  private static final int DESCRIPTION_COLUMN_MAX = 26;

  private static final String UNNAMED = "      ";

  private HelpPage() {}

  /** A name, and what is said about it. */
  private record Entry(String name, String description) {}

  /** Paragraphs; one that begins with a blank is kept as it is. */
  static String paragraphs(String... all) {
    StringBuilder text = new StringBuilder();
    for (String paragraph : all) {
      if (paragraph.isEmpty() || paragraph.startsWith(" ")) {
        text.append(paragraph).append('\n');
      } else {
        wrapped(paragraph, COLUMNS).forEach(line -> text.append(line).append('\n'));
      }
    }
    return text.toString();
  }

  static String arguments(CommandSpec spec) {
    return list(
        spec.positionalParameters().stream()
            .filter(one -> !one.hidden())
            .map(HelpPage::entry)
            .toList());
  }

  static String options(CommandSpec spec) {
    return list(spec.options().stream().filter(one -> !one.hidden()).map(HelpPage::entry).toList());
  }

  /** The commands below, each with the first sentence about it. */
  static String commands(CommandSpec spec) {
    return list(
        spec.subcommands().values().stream()
            .map(CommandLine::getCommandSpec)
            .filter(one -> !one.usageMessage().hidden())
            .map(one -> new Entry("  " + one.name(), firstSentence(one)))
            .toList());
  }

  private static Entry entry(PositionalParamSpec argument) {
    return new Entry(UNNAMED + argument.paramLabel(), String.join(" ", argument.description()));
  }

  private static Entry entry(OptionSpec option) {
    String shortest = option.shortestName();
    String longest = option.longestName();
    String name = shortest.equals(longest) ? UNNAMED + longest : "  " + shortest + ", " + longest;
    return new Entry(
        option.arity().max() == 0 ? name : name + "=" + label(option),
        String.join(" ", option.description()));
  }

  /** What an option takes, as in {@code SCOPE[,SCOPE...]}. */
  static String label(OptionSpec option) {
    String label = option.paramLabel();
    if (label.startsWith("<")) {
      // picocli's, for an option that has none of its own.
      label = isNumber(option.auxiliaryTypes()[0]) ? "N" : "FILE";
    }
    return option.splitRegex().isEmpty()
        ? label
        : label + "[" + option.splitRegex() + label + "...]";
  }

  private static boolean isNumber(Class<?> type) {
    return (type.isPrimitive() && type != boolean.class) || Number.class.isAssignableFrom(type);
  }

  private static String firstSentence(CommandSpec spec) {
    String[] description = spec.usageMessage().description();
    String text = description.length == 0 ? "" : description[0];
    int end = text.indexOf(". ");
    return end < 0 ? text : text.substring(0, end + 1);
  }

  private static String list(List<Entry> entries) {
    int column =
        entries.stream()
            .mapToInt(entry -> entry.name().length() + 2)
            .filter(width -> width <= DESCRIPTION_COLUMN_MAX)
            .max()
            .orElse(DESCRIPTION_COLUMN_MAX);
    StringBuilder text = new StringBuilder();
    for (Entry entry : entries) {
      boolean isLong = entry.name().length() + 2 > column;
      List<String> lines = wrapped(entry.description(), COLUMNS - column);
      String first = isLong || lines.isEmpty() ? "" : lines.removeFirst();
      text.append(isLong ? entry.name() : padded(entry.name(), column) + first).append('\n');
      lines.forEach(line -> text.append(padded("", column)).append(line).append('\n'));
    }
    return text.toString();
  }

  private static String padded(String text, int width) {
    return text + " ".repeat(Math.max(0, width - text.length()));
  }

  private static List<String> wrapped(String text, int width) {
    List<String> lines = new ArrayList<>();
    StringBuilder line = new StringBuilder();
    for (String word : Stream.of(text.split(" ")).filter(one -> !one.isEmpty()).toList()) {
      if (!line.isEmpty() && line.length() + 1 + word.length() > width) {
        lines.add(line.toString());
        line.setLength(0);
      }
      line.append(line.isEmpty() ? "" : " ").append(word);
    }
    if (!line.isEmpty()) {
      lines.add(line.toString());
    }
    return lines;
  }
}

package gilmok.config;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** The parts of the server that can be switched off ({@code --only}). */
public enum Part {
  /** Collects what phones send. */
  COLLECT,
  /** Keeps the latest positions of riders. */
  POSITIONS,
  /** Ships what was collected to the sinks, and keeps the ledger. */
  SINKS,
  /** Runs deliveries. */
  DELIVERIES,
  /** Plans run sheets. */
  RUN_SHEETS,
  /** Answers what riders have earned. */
  STATEMENTS,
  /** Shows riders the missions that they can fulfil. */
  MISSIONS,
  /** Answers where riders were, and what their apps reported. */
  HISTORY;

  /** Reads the key {@code only}: the parts to run, all if none is named. */
  public static Set<Part> from(Settings settings) {
    List<String> words = settings.words("only");
    if (words.isEmpty()) {
      return EnumSet.allOf(Part.class);
    }
    EnumSet<Part> parts = EnumSet.noneOf(Part.class);
    for (String word : words) {
      switch (word) {
        case "live" -> settings.problem("only: the part live is called positions now");
        case "ship" -> settings.problem("only: the part ship is called sinks now");
        default -> {
          List<Part> named =
              Arrays.stream(values()).filter(one -> one.word().equals(word)).toList();
          if (named.isEmpty()) {
            settings.problem("only: no part is called \"" + word + "\"; there are " + words());
          }
          parts.addAll(named);
        }
      }
    }
    return parts;
  }

  /** The name in settings, scripts and metrics. */
  String word() {
    return Settings.dashed(this);
  }

  /** The names of several parts. */
  public static Set<String> words(Set<Part> parts) {
    return parts.stream().map(Part::word).collect(Collectors.toSet());
  }

  private static String words() {
    return Arrays.stream(values()).map(Part::word).collect(Collectors.joining(", "));
  }
}

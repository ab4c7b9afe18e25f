package gilmok.statements;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What an entry is for. */
public enum EntryKind {
  /** For a delivery. */
  FEE,
  /** On top of that. */
  INCENTIVE,
  /** Taken off. */
  DEDUCTION;

  private final String label = name().toLowerCase(Locale.ROOT);

  /** Its name in the API, and where entries are kept. */
  public String label() {
    return label;
  }

  /** The one of that name; null when there is none. */
  public static @Nullable EntryKind ofLabel(String label) {
    return switch (label) {
      case "fee" -> FEE;
      case "incentive" -> INCENTIVE;
      case "deduction" -> DEDUCTION;
      default -> null;
    };
  }
}

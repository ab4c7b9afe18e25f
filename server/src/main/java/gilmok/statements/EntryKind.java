package gilmok.statements;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The kind of an entry. */
public enum EntryKind {
  /** The pay for a delivery. */
  FEE,
  /** A bonus on top of fees. */
  INCENTIVE,
  /** An amount that is subtracted. */
  DEDUCTION;

  private final String label = name().toLowerCase(Locale.ROOT);

  /** Its name in the API and in storage. */
  public String label() {
    return label;
  }

  /** The kind of that name; null for an unknown name. */
  public static @Nullable EntryKind ofLabel(String label) {
    return switch (label) {
      case "fee" -> FEE;
      case "incentive" -> INCENTIVE;
      case "deduction" -> DEDUCTION;
      default -> null;
    };
  }
}

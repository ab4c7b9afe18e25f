package gilmok.runsheet;

import gilmok.runsheet.plan.Objective;
import org.jspecify.annotations.Nullable;

/** The names of objectives in the API. */
final class Objectives {
  /** All names, for error messages. */
  static final String NAMES = "travel or lateness";

  private Objectives() {}

  /** The objective with a name; null if there is none. */
  static @Nullable Objective of(String name) {
    return switch (name) {
      case "travel" -> Objective.TRAVEL;
      case "lateness" -> Objective.LATENESS_THEN_TRAVEL;
      default -> null;
    };
  }
}

package gilmok.runsheet;

import gilmok.runsheet.plan.Objective;
import org.jspecify.annotations.Nullable;

/** What objectives are called in requests. */
final class Objectives {
  /** All of them, for the caller. */
  static final String NAMES = "travel or lateness";

  private Objectives() {}

  /** The one that is called so; null when none is. */
  static @Nullable Objective of(String name) {
    return switch (name) {
      case "travel" -> Objective.TRAVEL;
      case "lateness" -> Objective.LATENESS_THEN_TRAVEL;
      default -> null;
    };
  }
}

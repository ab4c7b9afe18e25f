package gilmok.missions;

import java.util.Collection;
import java.util.List;

/** Checks of arguments for all stores. Thread-safe. */
final class MissionBounds {
  private MissionBounds() {}

  /**
   * Checks that a call does not ask about too many missions.
   *
   * @throws IllegalArgumentException when it does
   */
  static void check(Collection<?> asked) {
    if (asked.size() > MissionStore.MISSIONS_MAX) {
      throw new IllegalArgumentException(
          asked.size() + " at once; at most " + MissionStore.MISSIONS_MAX);
    }
  }

  /**
   * Checks that a call does not settle too many missions, and that it has a time.
   *
   * @throws IllegalArgumentException when it does, or has none
   */
  static void check(List<MissionStore.Due> due, long at) {
    check(due);
    if (at == 0) {
      throw new IllegalArgumentException("settled at 0 is not settled");
    }
  }
}

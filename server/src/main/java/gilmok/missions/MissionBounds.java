package gilmok.missions;

import java.util.Collection;
import java.util.List;

/** What every store is held to, by whoever calls it. From any thread. */
final class MissionBounds {
  private MissionBounds() {}

  /** That no more are asked about than may be. */
  static void check(Collection<?> asked) {
    if (asked.size() > MissionStore.MISSIONS_MAX) {
      throw new IllegalArgumentException(
          asked.size() + " at once; at most " + MissionStore.MISSIONS_MAX);
    }
  }

  /** That no more are settled than may be, and that settling has a time. */
  static void check(List<MissionStore.Due> due, long at) {
    check(due);
    if (at == 0) {
      throw new IllegalArgumentException("settled at 0 is not settled");
    }
  }
}

package gilmok.deliveries.track;

import gilmok.geo.Distance;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Riders' speeds over the last minutes, from the positions seen at each look by a customer:
 * distance travelled divided by time passed, with waiting at lights and doors included. Riders not
 * looked at for the longest time are forgotten. Thread-safe.
 */
final class RecentSpeeds {
  private static final int RIDERS_MAX = 10_000;
  private static final int FIXES_MAX = 30;
  private static final long WINDOW_MILLIS = 10 * 60_000;
  private static final long APART_MILLIS = 15_000;

  /** The least time to measure over: in less, one traffic light would decide the result. */
  private static final long ENOUGH_MILLIS = 90_000;

  private final Map<String, Deque<RiderFix>> seen =
      new LinkedHashMap<>(64, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Deque<RiderFix>> eldest) {
          return size() > RIDERS_MAX;
        }
      };

  /**
   * Notes a rider's position and computes the speed.
   *
   * @param began where and when the rider's way began
   * @param now the rider's position now
   * @return the speed along streets (not the straight line), metres a second; NaN while unknown
   */
  synchronized double note(String riderId, RiderFix began, RiderFix now) {
    Deque<RiderFix> fixes = seen.computeIfAbsent(riderId, _ -> new ArrayDeque<>());
    if (fixes.isEmpty() && began.atMillis() < now.atMillis()) {
      fixes.add(began);
    }
    if (fixes.isEmpty() || now.atMillis() - fixes.getLast().atMillis() >= APART_MILLIS) {
      fixes.add(now);
    }
    while (fixes.size() > FIXES_MAX
        || (fixes.size() > 2 && fixes.getFirst().atMillis() < now.atMillis() - WINDOW_MILLIS)) {
      fixes.removeFirst();
    }
    long passed = now.atMillis() - fixes.getFirst().atMillis();
    return passed < ENOUGH_MILLIS ? Double.NaN : 1000 * metres(fixes) / passed;
  }

  private static double metres(Deque<RiderFix> fixes) {
    Iterator<RiderFix> all = fixes.iterator();
    RiderFix before = all.next();
    double metres = 0;
    while (all.hasNext()) {
      RiderFix fix = all.next();
      metres += Distance.metres(before.lat(), before.lon(), fix.lat(), fix.lon());
      before = fix;
    }
    // Between two positions the rider turns corners, too.
    return metres * ArrivalEstimate.DETOUR;
  }
}

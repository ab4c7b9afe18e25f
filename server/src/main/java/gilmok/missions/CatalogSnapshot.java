package gilmok.missions;

import gilmok.compress.ComposedBody;
import gilmok.compress.Fragment;
import gilmok.compress.SmallFragmentCompressor;
import gilmok.event.JsonBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The missions that are open, ready to be answered: what all riders share is one piece, compressed
 * once; what only some are shown is one piece for each set of missions that riders have in common.
 * In an answer those open to all come first, each kind by id. Immutable but for the pieces made of
 * sets; thread-safe.
 */
final class CatalogSnapshot {
  /**
   * Sets whose beginning of an answer is kept; more are compressed quickly, for the one who asks.
   */
  private static final int SETS_MAX = 1_000;

  private static final int QUICK = 1;
  private static final String BEGIN = "{\"items\":[";

  private final Press press;
  private final long until;
  private final List<String> ids;
  private final Map<String, Mission> open = new HashMap<>();
  private final List<Mission> personal = new ArrayList<>();
  private final Fragment shared;
  private final ComposedBody forAll;
  private final boolean isSharedEmpty;
  private final Map<BitSet, ComposedBody> sets = new ConcurrentHashMap<>();

  /**
   * How pieces are compressed.
   *
   * @param level 1 to 9, of what is compressed once
   * @param smallFragmentCompressor of what is one rider's
   */
  record Press(int level, SmallFragmentCompressor smallFragmentCompressor) {}

  /**
   * Puts on the shelf what is open.
   *
   * @param all by id
   * @param keptMillis how long progress in a mission that has ended is of interest
   * @param old from which pieces are taken that have not changed
   */
  CatalogSnapshot(
      List<Mission> all, long now, long keptMillis, Press press, @Nullable CatalogSnapshot old) {
    this.press = press;
    List<String> ofInterest = new ArrayList<>();
    List<Mission> toAll = new ArrayList<>();
    long change = Long.MAX_VALUE;
    for (Mission mission : all) {
      if (mission.to() == Mission.FOR_EVER || mission.to() + keptMillis > now) {
        ofInterest.add(mission.id());
      }
      change = Math.min(change, next(mission, now, keptMillis));
      if (mission.from() <= now && now < mission.to()) {
        open.put(mission.id(), mission);
        (mission.riders().isEmpty() ? toAll : personal).add(mission);
      }
    }
    ids = List.copyOf(ofInterest);
    until = change;
    isSharedEmpty = toAll.isEmpty();
    byte[] plain = joined(BEGIN, toAll);
    shared =
        old != null && Arrays.equals(old.shared.plain(), plain) && old.press.equals(press)
            ? old.shared
            : Fragment.of(plain, press.level());
    forAll = ComposedBody.of(shared);
  }

  /** When something about it will be different. */
  private static long next(Mission mission, long now, long keptMillis) {
    if (mission.from() > now) {
      return mission.from();
    }
    if (mission.to() > now) {
      return mission.to();
    }
    long forgotten = mission.to() + keptMillis;
    return forgotten > now ? forgotten : Long.MAX_VALUE;
  }

  /** When it has to be another, milliseconds since 1970. */
  long until() {
    return until;
  }

  /** The ids of all missions in which riders' progress is of interest: open, to come, just over. */
  List<String> ids() {
    return ids;
  }

  /** How many are open, to all or to some. */
  int size() {
    return open.size();
  }

  /** Whether that mission is among those that a rider is shown. */
  boolean shows(String missionId, String riderId) {
    Mission mission = open.get(missionId);
    return mission != null && mission.isOpenTo(riderId);
  }

  /** What an answer ends with, of those bytes: compressed when a coding is asked for. */
  Fragment tail(byte[] plain) {
    return Fragment.later(plain, press.smallFragmentCompressor());
  }

  /** What an answer to that rider begins with. */
  ComposedBody head(String riderId) {
    if (personal.isEmpty()) {
      return forAll;
    }
    BitSet own = new BitSet(personal.size());
    for (int i = 0; i < personal.size(); i++) {
      if (personal.get(i).isOpenTo(riderId)) {
        own.set(i);
      }
    }
    return own.isEmpty() ? forAll : head(own);
  }

  private ComposedBody head(BitSet own) {
    ComposedBody known = sets.get(own);
    if (known != null) {
      return known;
    }
    List<Mission> missions = own.stream().mapToObj(personal::get).toList();
    byte[] plain = joined(isSharedEmpty ? "" : ",", missions);
    if (sets.size() >= SETS_MAX) {
      return forAll.plus(Fragment.of(plain, QUICK));
    }
    return sets.computeIfAbsent(own, _ -> forAll.plus(Fragment.of(plain, press.level())));
  }

  private static byte[] joined(String before, List<Mission> missions) {
    JsonBuffer out = new JsonBuffer();
    out.ascii(before);
    for (int i = 0; i < missions.size(); i++) {
      byte[] shown = missions.get(i).shown();
      out.ascii(i == 0 ? "" : ",").raw(shown, 0, shown.length);
    }
    return out.copy();
  }
}

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
 * The open missions as fragments of answers, compressed in advance. Missions open to all riders are
 * one fragment, compressed once. Missions open to some riders are one fragment for each distinct
 * set of them. An answer lists first those open to all, then the others, each group by id.
 * Immutable but for the cache of the sets; thread-safe.
 */
final class CatalogSnapshot {
  /** Most sets whose fragment is cached; others are compressed quickly for each request. */
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
   * How fragments are compressed.
   *
   * @param level 1 to 9, for fragments that are compressed once
   * @param smallFragmentCompressor for fragments of a single rider
   */
  record Press(int level, SmallFragmentCompressor smallFragmentCompressor) {}

  /**
   * The snapshot of the missions that are open at {@code now}.
   *
   * @param all all missions, by id
   * @param now epoch ms
   * @param keptMillis how long after its end a mission can still be settled
   * @param old the snapshot before, whose unchanged fragments are reused; null for the first
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

  /** When the mission's state changes next, epoch ms; {@link Long#MAX_VALUE} for never. */
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

  /** When this snapshot is out of date, epoch ms. */
  long until() {
    return until;
  }

  /** The ids of all missions whose progress is read: open, to come, or just over. */
  List<String> ids() {
    return ids;
  }

  /** The number of open missions. */
  int size() {
    return open.size();
  }

  /** Whether a rider is shown that mission. */
  boolean shows(String missionId, String riderId) {
    Mission mission = open.get(missionId);
    return mission != null && mission.isOpenTo(riderId);
  }

  /** The last fragment of an answer; it is compressed only if a coding is asked for. */
  Fragment tail(byte[] plain) {
    return Fragment.later(plain, press.smallFragmentCompressor());
  }

  /** The beginning of an answer to that rider: the missions. */
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

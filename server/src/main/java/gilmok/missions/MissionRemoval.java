package gilmok.missions;

import gilmok.retention.DocumentRemoval;
import gilmok.retention.RemovalPlan;
import gilmok.retention.RemovalPlans;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Takes out of a store what riders have done of missions that ended long ago, then those missions.
 *
 * <ol>
 *   <li>A look begins by closing the missions that are old enough ({@link ClosedMissions}): from
 *       then on nobody can put one of them, or progress in it. So nothing that is removed comes
 *       back, and a mission can get no rider behind the look's back.
 *   <li>All progress is read once, in the order of the store, which needs no index by mission; that
 *       of closed missions can go.
 *   <li>A closed mission of which the look has met no progress can go itself. So a mission goes a
 *       look after the last progress in it.
 * </ol>
 *
 * <p>Thread-safe, though meant for one thread; calls block.
 */
public final class MissionRemoval implements DocumentRemoval<OldMission> {
  /** How many rows a page reads for each that it may have: most are of missions that stay. */
  private static final int ROWS_READ = 5;

  /** Missions that name many riders are large. */
  private static final int MISSIONS_MAX = 20;

  // The cursors: the id of a progress behind the first of these, a mission's id behind the other.
  private static final String PROGRESS = ">";
  private static final String MISSION = "/";

  /** Until the look has begun: a page of nothing, and once more. */
  private static final Page<OldMission> LATER = new Page<>(List.of(), 0, "");

  private final MissionRows rows;
  private @Nullable Look look;
  private long settledNanos = System.nanoTime();

  /**
   * One look at all progress.
   *
   * @param ends when the closed missions ended, by id
   * @param isWhole whether it saw all progress from the first on
   * @param withProgress the closed missions of which there is progress
   */
  private record Look(NavigableMap<String, Long> ends, boolean isWhole, Set<String> withProgress) {}

  /** Of the missions in that store; sends no query yet. */
  public MissionRemoval(MissionRows rows) {
    this.rows = rows;
  }

  @Override
  public RemovalPlans plans() {
    return rows.plans();
  }

  @Override
  public List<String> causes() {
    return List.of(); // a closed mission does not change, and nothing waits for it
  }

  /** No further than the look has closed before. */
  @Override
  public String removedTo(RemovalPlan plan, long latestMillis) {
    return ClosedMissions.text(latestMillis);
  }

  @Override
  public synchronized Page<OldMission> page(String after, long beforeMillis, int limit)
      throws IOException, InterruptedException {
    if (after.isEmpty()) {
      return begin(beforeMillis);
    }
    Look present = look;
    if (present == null || !present.isWhole) {
      return LATER;
    }
    String behind = after.substring(1);
    return after.startsWith(PROGRESS)
        ? progress(present, behind, limit)
        : missions(present, behind, limit);
  }

  /** Closes what is old; begins the look when that holds everywhere. */
  private Page<OldMission> begin(long beforeMillis) throws IOException, InterruptedException {
    if (System.nanoTime() - settledNanos < 0) {
      return LATER;
    }
    long closedMillis = ClosedMissions.millis(plans().removedTo());
    TreeMap<String, Long> ends = new TreeMap<>();
    int unreadable = 0;
    long latest = Long.MIN_VALUE;
    for (MissionStore.Kept kept : rows.missions()) {
      Mission mission = MissionBody.kept(kept);
      if (mission == null) {
        unreadable++;
      } else if (mission.to() < beforeMillis) {
        ends.put(mission.id(), mission.to());
        latest = Math.max(latest, mission.to());
      }
    }
    if (latest > closedMillis) {
      plans().reach(ClosedMissions.text(latest));
      settledNanos = System.nanoTime() + rows.settleNanos();
      return LATER; // and reads the missions again: one may have been put just before
    }
    look = new Look(ends, true, new HashSet<>());
    return new Page<>(List.of(), unreadable, ends.isEmpty() ? MISSION : PROGRESS);
  }

  private Page<OldMission> progress(Look present, String after, int limit)
      throws IOException, InterruptedException {
    List<MissionRows.Row> read = rows.progressAfter(after, ROWS_READ * limit);
    List<OldMission> found = new ArrayList<>(limit);
    int unreadable = 0;
    String last = read.isEmpty() ? MISSION : PROGRESS + read.getLast().id();
    for (MissionRows.Row row : read) {
      Long end = present.ends.get(row.missionId());
      if (end == null) {
        continue;
      }
      present.withProgress.add(row.missionId());
      MissionStore.RiderProgress one = row.progress();
      if (one == null) {
        unreadable++;
      } else {
        found.add(new OldMission(one.riderId(), one.progress(), end));
      }
      if (found.size() == limit) {
        last = PROGRESS + row.id();
        break;
      }
    }
    return new Page<>(found, unreadable, last);
  }

  private Page<OldMission> missions(Look present, String after, int limit)
      throws IOException, InterruptedException {
    List<String> ids =
        present.ends.tailMap(after, false).keySet().stream()
            .filter(id -> !present.withProgress.contains(id))
            .limit(Math.min(limit, MISSIONS_MAX))
            .toList();
    return new Page<>(
        ids.isEmpty() ? List.of() : missions(present, ids),
        0,
        ids.isEmpty() ? null : MISSION + ids.getLast());
  }

  private List<OldMission> missions(Look present, List<String> ids)
      throws IOException, InterruptedException {
    List<OldMission> found = new ArrayList<>(ids.size());
    for (MissionStore.Kept kept : rows.missions(ids)) {
      Long end = present.ends.get(kept.id());
      if (end != null) {
        found.add(OldMission.itself(kept, end));
      }
    }
    return found;
  }

  @Override
  public synchronized List<OldMission> find(List<String> ids)
      throws IOException, InterruptedException {
    Look present = look == null ? closed() : look;
    look = present;
    List<OldMission> found = new ArrayList<>(ids.size());
    for (MissionRows.Row row : rows.progress(those(ids, false))) {
      MissionStore.RiderProgress one = row.progress();
      Long end = present.ends.get(row.missionId());
      if (one != null && end != null) {
        found.add(new OldMission(one.riderId(), one.progress(), end));
      }
    }
    List<String> missions = those(ids, true);
    for (int from = 0; from < missions.size(); from += MISSIONS_MAX) {
      int to = Math.min(missions.size(), from + MISSIONS_MAX);
      found.addAll(missions(present, missions.subList(from, to)));
    }
    return found;
  }

  /** What is closed, for who goes on with the plan of another process. */
  private Look closed() throws IOException, InterruptedException {
    long closedMillis = ClosedMissions.millis(plans().removedTo());
    TreeMap<String, Long> ends = new TreeMap<>();
    for (MissionStore.Kept kept : rows.missions()) {
      Mission mission = MissionBody.kept(kept);
      if (mission != null && mission.to() <= closedMillis) {
        ends.put(mission.id(), mission.to());
      }
    }
    return new Look(ends, false, Set.of());
  }

  /** The missions among those ids of documents, or the ids of progress. */
  private static List<String> those(List<String> ids, boolean areMissions) {
    return ids.stream()
        .filter(id -> id.lastIndexOf('/') == 0 == areMissions)
        .map(id -> areMissions ? id.substring(1) : id)
        .toList();
  }

  @Override
  public int remove(List<RemovalPlan.Row> planned) throws IOException, InterruptedException {
    List<RemovalPlan.Row> progress = new ArrayList<>(planned.size());
    List<MissionStore.Kept> missions = new ArrayList<>();
    for (RemovalPlan.Row row : planned) {
      List<String> mission = those(List.of(row.id()), true);
      if (mission.isEmpty()) {
        progress.add(row);
      } else {
        rows.missions(mission).stream()
            .filter(kept -> OldMission.revision(kept.json()) == row.revision())
            .forEach(missions::add);
      }
    }
    return rows.remove(progress, missions);
  }

  @Override
  public boolean shrink() throws IOException, InterruptedException {
    return rows.shrink();
  }

  /** What a plan has was closed before the look began, and held everywhere. */
  @Override
  public long settleNanos() {
    return 0;
  }
}

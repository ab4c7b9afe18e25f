package gilmok.missions;

import gilmok.cache.LoadFailure;
import gilmok.cache.LoadResult;
import gilmok.cache.SingleFlightCache;
import gilmok.collect.json.JsonDocument;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * The operations on riders' missions. A caller sees its own earlier writes on the same node.
 * Thread-safe; calls block, except {@link #held}.
 */
record MissionService(
    Catalog catalog,
    MissionStore store,
    SingleFlightCache<RiderMissions> riders,
    SettlementWriter settlements,
    InstantSource clock) {
  /** Most bytes of a progress. */
  static final int PROGRESS_BYTES_MAX = 4 << 10;

  /** Reads a rider's progress from the store. */
  static List<MissionStore.Progress> load(MissionStore store, Catalog catalog, String riderId)
      throws IOException, InterruptedException {
    catalog.demandRead();
    List<String> ids = catalog.shelf().ids();
    if (ids.size() <= MissionStore.MISSIONS_MAX) {
      return ids.isEmpty() ? List.of() : store.progress(riderId, ids);
    }
    // In pieces: nodes that put missions at the same time can together exceed the limit.
    List<MissionStore.Progress> all = new ArrayList<>();
    for (int from = 0; from < ids.size(); from += MissionStore.MISSIONS_MAX) {
      int to = Math.min(ids.size(), from + MissionStore.MISSIONS_MAX);
      all.addAll(store.progress(riderId, ids.subList(from, to)));
    }
    return all;
  }

  /** A rider's answer if it is cached; null when it has to be loaded. */
  @Nullable RenderedMissions held(String riderId) {
    RiderMissions known = catalog.isRead() ? riders.now(riderId) : null;
    return known == null ? null : known.rendered(catalog.shelf(), riderId);
  }

  /** A rider's answer, loaded if necessary; null when there is no room to load it. */
  @Nullable RenderedMissions show(String riderId) throws IOException, InterruptedException {
    try {
      return rendered(riders.get(riderId).get(), riderId);
    } catch (ExecutionException bug) {
      throw new IllegalStateException(bug);
    }
  }

  /** A rider's answer from a cache result; null when the cache was busy. */
  @Nullable RenderedMissions rendered(LoadResult<RiderMissions> result, String riderId)
      throws IOException {
    return switch (result) {
      case LoadResult.Value<RiderMissions>(RiderMissions value) -> {
        catalog.demandRead(); // the value may come from another node's load
        yield value.rendered(catalog.shelf(), riderId);
      }
      case LoadResult.Busy<RiderMissions> _ -> null;
      case LoadResult.Failed<RiderMissions>(LoadFailure bug) ->
          throw new IllegalStateException(bug);
      case LoadResult.Failed<RiderMissions>(IOException cause) -> throw cause;
    };
  }

  /**
   * Settles what is due, then makes the rider's answer.
   *
   * @param urgentOnly whether only urgent missions are settled
   * @return null when there is no room to settle it
   */
  @Nullable RenderedMissions settle(String riderId, boolean urgentOnly)
      throws IOException, InterruptedException {
    CatalogSnapshot snapshot = catalog.shelf();
    List<MissionStore.Progress> progress = load(store, catalog, riderId);
    List<MissionStore.Due> due = due(riderId, progress, urgentOnly);
    if (!due.isEmpty()) {
      long at = clock.millis();
      int settled;
      try {
        settled = settlements.settle(riderId, due, at);
      } finally {
        riders.forget(riderId);
      }
      if (settled == SettlementWriter.BUSY) {
        return null;
      }
      // If all were settled, the result is known without reading again; if not, others have changed
      // something meanwhile.
      progress = settled == due.size() ? settled(progress, due, at) : load(store, catalog, riderId);
    }
    return RiderMissions.of(progress).rendered(snapshot, riderId);
  }

  private List<MissionStore.Due> due(
      String riderId, List<MissionStore.Progress> all, boolean urgentOnly) {
    long now = clock.millis();
    JsonDocument document = new JsonDocument();
    List<MissionStore.Due> due = new ArrayList<>();
    for (MissionStore.Progress progress : all) {
      Mission mission = catalog.find(progress.missionId());
      if (progress.settledAt() == 0
          && mission != null
          && mission.from() <= now
          && mission.isOpenTo(riderId)
          && (mission.isUrgent() || !urgentOnly)
          && isFulfilled(mission, progress, document)) {
        due.add(new MissionStore.Due(progress.missionId(), progress.version()));
      }
    }
    return due;
  }

  /**
   * Whether the progress says that it is fulfilled, or its count has reached the mission's goal.
   */
  private static boolean isFulfilled(
      Mission mission, MissionStore.Progress progress, JsonDocument document) {
    byte[] bytes = progress.json().getBytes(StandardCharsets.UTF_8);
    int root = document.read(bytes, 0, bytes.length);
    return document.isTrue(document.member(root, "fulfilled"))
        || document.number(document.member(root, "count")) >= mission.goal(); // false for NaN
  }

  private static List<MissionStore.Progress> settled(
      List<MissionStore.Progress> all, List<MissionStore.Due> due, long at) {
    Map<String, MissionStore.Progress> byId = new HashMap<>();
    all.forEach(progress -> byId.put(progress.missionId(), progress));
    for (MissionStore.Due one : due) {
      byId.computeIfPresent(
          one.missionId(),
          (id, was) -> new MissionStore.Progress(id, was.json(), was.version(), at));
    }
    return all.stream().map(was -> byId.getOrDefault(was.missionId(), was)).toList();
  }

  /**
   * Stores the rider's profile, then makes the rider's answer; null when there is no room to load
   * the missions.
   */
  @Nullable RenderedMissions profile(String riderId, String json)
      throws IOException, InterruptedException {
    store.putProfile(riderId, json);
    return show(riderId);
  }

  /** The mission of that id; null when there is none. */
  @Nullable Mission find(String id) throws IOException, InterruptedException {
    Mission known = catalog.find(id);
    if (known == null) {
      catalog.refresh(); // another node may have put it just now
      known = catalog.find(id);
    }
    return known;
  }

  /** The missions whose ids sort after that one, in the order of ids. */
  List<Mission> after(String id, int limit) throws IOException {
    catalog.demandRead();
    return catalog.after(id, limit);
  }

  /** Whether a mission has ended so long ago that it is archived and removed. */
  boolean isClosed(Mission mission) throws IOException, InterruptedException {
    return mission.to() != Mission.FOR_EVER && mission.to() <= store.closedMillis();
  }

  /** When the first of the missions of that progress ends. */
  long firstEnd(List<MissionStore.RiderProgress> all) {
    long first = Mission.FOR_EVER;
    for (MissionStore.RiderProgress one : all) {
      Mission mission = catalog.find(one.progress().missionId());
      first = Math.min(first, mission == null ? Mission.ALWAYS : mission.to());
    }
    return first;
  }

  /** Adds or replaces a rider's progress; null when the mission is closed. */
  MissionStore.@Nullable Progress put(String riderId, Mission mission, String json)
      throws IOException, InterruptedException {
    try {
      return store.putProgress(riderId, mission.id(), json, mission.to());
    } finally {
      riders.forget(riderId); // also if it is unknown whether it was written
    }
  }
}

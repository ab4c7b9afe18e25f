package gilmok.missions;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/** Missions in memory, which record their calls and can fail. Thread-safe. */
final class MemoryMissions implements MissionStore {
  /** Work that a test inserts in the middle of a call. */
  interface Between {
    void run() throws IOException, InterruptedException;
  }

  final Queue<String> calls = new ConcurrentLinkedQueue<>();
  volatile boolean failing;
  volatile @Nullable Between beforeSettle;
  private final Map<String, String> missions = new TreeMap<>();
  private final Map<String, Map<String, Progress>> progress = new HashMap<>();
  private final Map<String, String> profiles = new HashMap<>();
  private long revision;

  private void called(String call) throws IOException {
    calls.add(call);
    if (failing) {
      throw new IOException("made to fail");
    }
  }

  @Override
  public synchronized List<Kept> missions() throws IOException {
    called("missions");
    return missions.entrySet().stream().map(e -> new Kept(e.getKey(), e.getValue())).toList();
  }

  @Override
  public synchronized boolean put(Kept mission, long endMillis) throws IOException {
    called("put " + mission.id());
    missions.put(mission.id(), mission.json());
    revision++;
    return true;
  }

  @Override
  public synchronized long revision() throws IOException {
    called("revision");
    return revision;
  }

  @Override
  public synchronized List<Progress> progress(String riderId, List<String> missionIds)
      throws IOException {
    called("progress " + riderId);
    Map<String, Progress> own = progress.getOrDefault(riderId, Map.of());
    return own.values().stream().filter(one -> missionIds.contains(one.missionId())).toList();
  }

  @Override
  public synchronized Progress putProgress(
      String riderId, String missionId, String json, long endMillis) throws IOException {
    called("putProgress " + riderId);
    return progress
        .computeIfAbsent(riderId, _ -> new TreeMap<>())
        .merge(
            missionId,
            new Progress(missionId, json, 1, 0),
            (old, _) -> new Progress(missionId, json, old.version() + 1, old.settledAt()));
  }

  @Override
  public int settle(String riderId, List<Due> due, long at)
      throws IOException, InterruptedException {
    called("settle " + riderId);
    Between between = beforeSettle;
    if (between != null) {
      between.run();
    }
    synchronized (this) {
      int settled = 0;
      Map<String, Progress> own = progress.getOrDefault(riderId, Map.of());
      for (Due one : due) {
        Progress was = own.get(one.missionId());
        if (was != null && was.version() == one.version() && was.settledAt() == 0) {
          own.put(was.missionId(), new Progress(was.missionId(), was.json(), was.version(), at));
          settled++;
        }
      }
      return settled;
    }
  }

  @Override
  public synchronized @Nullable String profile(String riderId) throws IOException {
    called("profile " + riderId);
    return profiles.get(riderId);
  }

  @Override
  public synchronized void putProfile(String riderId, String json) throws IOException {
    called("putProfile " + riderId);
    profiles.put(riderId, json);
  }

  @Override
  public List<RiderProgress> progressAfter(String cursor, int limit) {
    throw new UnsupportedOperationException();
  }

  @Override
  public List<Optional<RiderProgress>> restore(List<RiderProgress> past, long endMillis) {
    throw new UnsupportedOperationException();
  }

  @Override
  public List<Profile> profilesAfter(String riderId, int limit) {
    throw new UnsupportedOperationException();
  }

  @Override
  public List<Optional<Profile>> restoreProfiles(List<Profile> past) {
    throw new UnsupportedOperationException();
  }
}

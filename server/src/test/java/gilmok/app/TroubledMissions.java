package gilmok.app;

import gilmok.missions.MissionStore;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Missions that fail while there is trouble. */
record TroubledMissions(MissionStore real, Trouble trouble) implements MissionStore {
  @Override
  public List<Kept> missions() throws IOException, InterruptedException {
    trouble.strike();
    return real.missions();
  }

  @Override
  public long closedMillis() throws IOException, InterruptedException {
    trouble.strike();
    return real.closedMillis();
  }

  @Override
  public boolean put(Kept mission, long endMillis) throws IOException, InterruptedException {
    trouble.strike();
    return real.put(mission, endMillis);
  }

  @Override
  public long revision() throws IOException, InterruptedException {
    trouble.strike();
    return real.revision();
  }

  @Override
  public List<Progress> progress(String riderId, List<String> missionIds)
      throws IOException, InterruptedException {
    trouble.strike();
    return real.progress(riderId, missionIds);
  }

  @Override
  public @Nullable Progress putProgress(
      String riderId, String missionId, String json, long endMillis)
      throws IOException, InterruptedException {
    trouble.strike();
    return real.putProgress(riderId, missionId, json, endMillis);
  }

  @Override
  public int settle(String riderId, List<Due> due, long at)
      throws IOException, InterruptedException {
    trouble.strike();
    return real.settle(riderId, due, at);
  }

  @Override
  public List<RiderProgress> progressAfter(String cursor, int limit)
      throws IOException, InterruptedException {
    trouble.strike();
    return real.progressAfter(cursor, limit);
  }

  @Override
  public @Nullable List<Optional<RiderProgress>> restore(List<RiderProgress> past, long endMillis)
      throws IOException, InterruptedException {
    trouble.strike();
    return real.restore(past, endMillis);
  }

  @Override
  public List<Profile> profilesAfter(String riderId, int limit)
      throws IOException, InterruptedException {
    trouble.strike();
    return real.profilesAfter(riderId, limit);
  }

  @Override
  public List<Optional<Profile>> restoreProfiles(List<Profile> past)
      throws IOException, InterruptedException {
    trouble.strike();
    return real.restoreProfiles(past);
  }

  @Override
  public @Nullable String profile(String riderId) throws IOException, InterruptedException {
    trouble.strike();
    return real.profile(riderId);
  }

  @Override
  public void putProfile(String riderId, String json) throws IOException, InterruptedException {
    trouble.strike();
    real.putProfile(riderId, json);
  }

  @Override
  public int pieceMax() {
    return real.pieceMax();
  }
}

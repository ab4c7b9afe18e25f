package gilmok.missions;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A store on which a test may only settle: every method declared here throws. */
abstract class UnaskedStore implements MissionStore {
  @Override
  public List<Kept> missions() {
    throw new UnsupportedOperationException();
  }

  @Override
  public boolean put(Kept mission, long endMillis) {
    throw new UnsupportedOperationException();
  }

  @Override
  public long revision() {
    throw new UnsupportedOperationException();
  }

  @Override
  public List<Progress> progress(String riderId, List<String> missionIds) {
    throw new UnsupportedOperationException();
  }

  @Override
  public Progress putProgress(String riderId, String missionId, String json, long endMillis) {
    throw new UnsupportedOperationException();
  }

  @Override
  public @Nullable String profile(String riderId) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void putProfile(String riderId, String json) {
    throw new UnsupportedOperationException();
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

package gilmok.missions;

import gilmok.event.JsonBuffer;
import gilmok.event.JsonLines;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** A rider's profile, and how far the rider is in missions. Thread-safe; blocks. */
public record MissionHandout(MissionStore store) {
  private static final int PAGE = 500;

  /** Gives the profile, if there is one. */
  public void profile(String riderId, JsonLines out) throws IOException, InterruptedException {
    String profile = store.profile(riderId);
    if (profile != null) {
      byte[] utf8 = profile.getBytes(StandardCharsets.UTF_8);
      out.line(new JsonBuffer().raw(utf8, 0, utf8.length));
    }
  }

  /** Gives the progress in each mission. */
  public void progress(String riderId, JsonLines out) throws IOException, InterruptedException {
    JsonBuffer json = new JsonBuffer();
    String prefix = riderId + "/";
    String after = prefix;
    boolean isMore = true;
    while (isMore) {
      List<MissionStore.RiderProgress> page = store.progressAfter(after, PAGE);
      isMore = page.size() == PAGE;
      for (MissionStore.RiderProgress one : page) {
        // Another rider's id can begin likewise.
        isMore &= one.riderId().equals(riderId) || one.riderId().startsWith(prefix);
        if (one.riderId().equals(riderId)) {
          byte[] progress = one.progress().json().getBytes(StandardCharsets.UTF_8);
          json.clear();
          json.ascii("{\"missionId\":").string(one.progress().missionId());
          json.ascii(",\"progress\":");
          RiderMissions.write(progress, 0, progress.length, one.progress().settledAt(), json);
          out.line(json.put('}'));
        }
        after = one.riderId() + "/" + one.progress().missionId();
      }
    }
  }
}

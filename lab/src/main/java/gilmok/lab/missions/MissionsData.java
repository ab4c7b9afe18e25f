package gilmok.lab.missions;

import gilmok.lab.LabClient;
import java.io.IOException;
import java.util.stream.IntStream;

/** Riders' missions for loads of other experiments: always the same. Stateless. */
public final class MissionsData {
  /** The riders who have progress. */
  public static final int RIDERS = 100;

  private MissionsData() {}

  /** Writes forty missions, and the riders' progress in thirty of them; takes some seconds. */
  public static void put(LabClient client) throws IOException, InterruptedException {
    MadeUpMissions made = new MadeUpMissions(RIDERS);
    for (int number : IntStream.range(0, MadeUpMissions.COUNT).toArray()) {
      put(client, "/v1/missions/" + MadeUpMissions.id(number), made.mission(number).toString());
    }
    for (int rider : IntStream.range(0, RIDERS).toArray()) {
      for (int number : MadeUpMissions.progressed()) {
        put(
            client,
            path(rider) + "/" + MadeUpMissions.id(number) + "/progress",
            made.progress(rider, number).toString());
      }
    }
  }

  private static void put(LabClient client, String path, String body)
      throws IOException, InterruptedException {
    LabClient.good(path, client.send("PUT", path, body));
  }

  /** The path of a rider's missions; riders come in turn. */
  public static String path(long number) {
    return "/v1/riders/" + MadeUpMissions.rider((int) (number % RIDERS)) + "/missions";
  }
}

package gilmok.lab.capacity;

import gilmok.http.Priority;
import gilmok.lab.LabClient;
import gilmok.lab.load.Requests;
import gilmok.lab.missions.MissionsData;
import java.io.IOException;
import java.util.List;

/** The hot personal read: riders' missions, some 100 kB that are packed. */
record MissionsScenario() implements LoadScenario {
  @Override
  public String name() {
    return "missions";
  }

  @Override
  public String unit() {
    return "answers";
  }

  @Override
  public double usualP99Millis() {
    return 50;
  }

  @Override
  public String data() {
    return "forty missions of 2.5 kB, and the progress of a hundred riders in thirty of them; each"
        + " answer is one rider's, 100 kB packed by gzip";
  }

  @Override
  public void prepare(LabClient client) throws IOException, InterruptedException {
    MissionsData.put(client);
  }

  @Override
  public List<LoadFlow> flows(String key) {
    return List.of(flow(key, 1));
  }

  /** The same requests as a part of a mix. */
  static LoadFlow flow(String key, double share) {
    return new LoadFlow(
        "missions",
        Priority.READS,
        share,
        1,
        1,
        (lane, of, _) ->
            new MadeRequests(
                number -> Requests.get(MissionsData.path(number), key, "Accept-Encoding: gzip"),
                200,
                lane,
                of,
                0));
  }
}

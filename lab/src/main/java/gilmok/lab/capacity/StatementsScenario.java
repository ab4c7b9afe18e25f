package gilmok.lab.capacity;

import gilmok.http.Priority;
import gilmok.lab.LabClient;
import gilmok.lab.load.Requests;
import java.io.IOException;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Riders' statements of a month.
 *
 * @param entries in each statement
 */
record StatementsScenario(int entries) implements LoadScenario {
  private static final int RIDERS = 20;
  private static final int BATCH = 500;

  @Override
  public String name() {
    return "statements";
  }

  @Override
  public String unit() {
    return "statements";
  }

  @Override
  public double usualP99Millis() {
    return 100;
  }

  @Override
  public String data() {
    return "statements of one month, %,d entries each, of %d riders in turn"
        .formatted(entries, RIDERS);
  }

  @Override
  public void prepare(LabClient client) throws IOException, InterruptedException {
    for (int rider = 0; rider < RIDERS; rider++) {
      for (int from = 0; from < entries; from += BATCH) {
        LabClient.good(
            "entries",
            client.post(
                "/v1/statement-entries", body(rider, from, Math.min(entries, from + BATCH))));
      }
    }
  }

  private static String body(int rider, int from, int to) {
    return IntStream.range(from, to)
        .mapToObj(
            i ->
                "{\"id\":\"capacity-%d-%d\",\"riderId\":\"payee-%d\",\"at\":\"2026-03-%02dT09:%02d:00Z\",\"kind\":\"%s\",\"amount\":%d}"
                    .formatted(
                        rider,
                        i,
                        rider,
                        1 + i % 28,
                        i % 60,
                        i % 9 == 0 ? "deduction" : i % 3 == 0 ? "incentive" : "fee",
                        500 + i % 4000))
        .collect(Collectors.joining(",", "[", "]"));
  }

  @Override
  public List<LoadFlow> flows(String key) {
    return List.of(flow(key, 1));
  }

  /** The same requests as a part of a mix. */
  static LoadFlow flow(String key, double share) {
    return new LoadFlow(
        "statements",
        Priority.REPORTS,
        share,
        1,
        1,
        (lane, of, _) ->
            new MadeRequests(
                number ->
                    Requests.get(
                        "/v1/riders/payee-"
                            + number % RIDERS
                            + "/statement?from=2026-03-01&to=2026-03-31",
                        key),
                200,
                lane,
                of,
                0));
  }
}

package gilmok.lab.capacity;

import gilmok.http.Priority;
import gilmok.lab.LabClient;
import gilmok.lab.deliveries.DeliverySteps;
import gilmok.lab.load.PositionsWorkload;
import gilmok.lab.load.Requests;
import gilmok.lab.missions.MissionsData;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * What a fleet asks of a server at the same time, each flow at its share.
 *
 * @param isWholeDay whether deliveries, missions and statements are asked for, too
 * @param riders who send it, in turn
 */
record MixScenario(boolean isWholeDay, int riders) implements LoadScenario {
  private static final int UPLOAD = 5;
  private static final int BATCH = 500;

  @Override
  public String name() {
    return isWholeDay ? "day" : "fleet";
  }

  @Override
  public String unit() {
    return "requests";
  }

  @Override
  public double usualP99Millis() {
    return 100;
  }

  @Override
  public String data() {
    List<String> parts = new ArrayList<>();
    for (LoadFlow flow : flows("")) {
      parts.add(String.format(Locale.ROOT, "%s %.0f %%", flow.name(), 100 * flow.share()));
    }
    return "of %,d riders in turn, by share of all exchanges: ".formatted(riders)
        + String.join(", ", parts)
        + (isWholeDay ? "; a delivery is five requests" : "")
        + "; an upload has five positions";
  }

  @Override
  public void prepare(LabClient client) throws IOException, InterruptedException {
    for (int from = 0; from < riders; from += BATCH) {
      LabClient.good("positions", client.post("/v1/traces", positions(from)));
    }
    if (isWholeDay) {
      MissionsData.put(client);
      new StatementsScenario(1_000).prepare(client);
    }
  }

  /** A first position of some riders, as each is asked for. */
  private String positions(int from) {
    long now = System.currentTimeMillis();
    return IntStream.range(from, Math.min(riders, from + BATCH))
        .mapToObj(
            number ->
                String.format(
                    Locale.ROOT,
                    "{\"riderId\":\"%s\",\"at\":%d,\"lat\":%.5f,\"lon\":%.5f}",
                    rider(number),
                    now,
                    degrees(37.45, number, 7),
                    degrees(126.9, number, 13)))
        .collect(Collectors.joining(",", "[", "]"));
  }

  @Override
  public List<LoadFlow> flows(String key) {
    double rest = isWholeDay ? 0.85 : 1;
    List<LoadFlow> flows = new ArrayList<>();
    PositionsWorkload.Plan uploads =
        new PositionsWorkload.Plan("/v1/traces", key, UPLOAD, riders, false);
    flows.add(
        new LoadFlow(
            "uploads",
            Priority.TRACES,
            0.5 * rest,
            1,
            1,
            (lane, of, _) -> new PositionsWorkload(uploads, lane, of)));
    flows.add(made("osmand", Priority.TRACES, 0.15 * rest, 200, 1, osmand(key)));
    flows.add(made("actions", Priority.ACTIONS, 0.1 * rest, 202, 0, actions(key)));
    flows.add(made("logs", Priority.READS, 0.05 * rest, 202, 0, logs(key)));
    flows.add(made("near", Priority.READS, 0.1 * rest, 200, 0, near(key)));
    flows.add(made("position", Priority.READS, 0.1 * rest, 200, 0, position(key)));
    if (isWholeDay) {
      flows.add(
          new LoadFlow(
              "deliveries",
              Priority.ACTIONS,
              0.05,
              DeliverySteps.COUNT,
              DeliverySteps.COUNT,
              (lane, of, run) -> DeliverySteps.of(run, key, lane, of)));
      flows.add(MissionsScenario.flow(key, 0.09));
      flows.add(StatementsScenario.flow(key, 0.01));
    }
    return flows;
  }

  /** Makes the request with a number, in a run that began at a time. */
  @FunctionalInterface
  private interface Numbered {
    byte[] request(long number, long begunMillis);
  }

  private static LoadFlow made(
      String name, Priority priority, double share, int status, int records, Numbered numbered) {
    return new LoadFlow(
        name,
        priority,
        share,
        1,
        1,
        (lane, of, _) -> {
          long begun = System.currentTimeMillis();
          return new MadeRequests(
              number -> numbered.request(number, begun), status, lane, of, records);
        });
  }

  private String rider(long number) {
    return String.format(Locale.ROOT, "rider-%06d", number % riders);
  }

  private static double degrees(double from, long number, int step) {
    return from + number * step % 10_007 / 100_000.0;
  }

  private Numbered osmand(String key) {
    return (number, begun) ->
        Requests.get(
            String.format(
                Locale.ROOT,
                "/osmand?id=%s&timestamp=%d&lat=%.5f&lon=%.5f&speed=7.5&batt=81&number=%d",
                rider(number),
                begun,
                degrees(37.45, number, 7),
                degrees(126.9, number, 13),
                number),
            key);
  }

  private Numbered actions(String key) {
    return (number, begun) ->
        post(
            "/v1/actions",
            key,
            "{\"riderId\":\"%s\",\"type\":\"seen\",\"at\":%d,\"id\":\"a-%d-%d\"}"
                .formatted(rider(number), begun, begun, number));
  }

  private Numbered logs(String key) {
    return (number, begun) ->
        post(
            "/v1/logs",
            key,
            "{\"riderId\":\"%s\",\"level\":\"warn\",\"message\":\"no answer, asked again\",\"at\":%d,\"id\":\"l-%d-%d\"}"
                .formatted(rider(number), begun, begun, number));
  }

  private static byte[] post(String path, String key, String body) {
    return Requests.send("POST", path, key, body, Requests.JSON);
  }

  private Numbered near(String key) {
    return (number, _) ->
        Requests.get(
            String.format(
                Locale.ROOT,
                "/v1/riders?near=%.4f,%.4f&radius=2000&limit=10",
                degrees(37.45, number, 7),
                degrees(126.9, number, 13)),
            key);
  }

  private Numbered position(String key) {
    return (number, _) -> Requests.get("/v1/riders/" + rider(number) + "/position", key);
  }
}

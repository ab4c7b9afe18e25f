package gilmok.lab.load;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** One delivery on its way through its five steps. Owned by the lane. */
final class Scenario {
  /** How many steps. */
  static final int STEPS = 5;

  private static final String[] ROUTES = {"", "accept", "assign", "pickup", "complete"};
  private static final int[] STATUSES = {201, 200, 200, 200, 200};
  private static final byte[] ID = "\"id\":\"".getBytes(StandardCharsets.US_ASCII);

  private final long number;
  private @Nullable String id;
  private int step;

  /** When the present step could have been sent, {@link System#nanoTime}. */
  long readyNanos;

  Scenario(long number, long readyNanos) {
    this.number = number;
    this.readyNanos = readyNanos;
  }

  /** Which step is next or under way, from 0; {@link #STEPS} at the end. */
  int step() {
    return step;
  }

  /** The present step's request. */
  byte[] request(String run, String host, String key) {
    String body =
        switch (step) {
          case 0 -> order(run);
          case 2 -> "{\"riderId\":\"rider-" + number % 5000 + "\"}";
          default -> "{}";
        };
    String path = step == 0 ? "/v1/deliveries" : "/v1/deliveries/" + id + "/" + ROUTES[step];
    String head =
        "POST "
            + path
            + " HTTP/1.1\r\nHost: "
            + host
            + "\r\nX-Api-Key: "
            + key
            + "\r\nContent-Type: application/json\r\nContent-Length: "
            + body.length()
            + (step == 0 ? "\r\nIdempotency-Key: " + run + "-" + number : "")
            + "\r\n\r\n";
    return (head + body).getBytes(StandardCharsets.US_ASCII);
  }

  private String order(String run) {
    double lat = 37.45 + number % 997 / 10_000.0;
    double lon = 126.90 + number % 1009 / 10_000.0;
    return "{\"orderId\":\""
        + run
        + "-"
        + number
        + "\",\"shopId\":\"shop-"
        + number % 1000
        + "\",\"pickup\":{\"lat\":"
        + lat
        + ",\"lon\":"
        + lon
        + ",\"address\":\"12 Market Street\"},\"dropoff\":{\"lat\":"
        + (lat + 0.01)
        + ",\"lon\":"
        + (lon + 0.01)
        + ",\"address\":\"7 Garden Road, third floor\",\"phone\":\"010-0000-0000\"},"
        + "\"fee\":3500,\"comment\":\"leave it at the door\"}";
  }

  /**
   * Takes the answer to the present step.
   *
   * @return whether it was as it should be; then the next step is
   */
  boolean answered(int status, byte[] bytes, int offset, int length) {
    if (status != STATUSES[step]) {
      return false;
    }
    if (step == 0) {
      id = id(bytes, offset, offset + length);
      if (id == null) {
        return false;
      }
    }
    step++;
    return true;
  }

  private static @Nullable String id(byte[] bytes, int from, int end) {
    for (int i = from; i + ID.length < end; i++) {
      int matched = 0;
      while (matched < ID.length && bytes[i + matched] == ID[matched]) {
        matched++;
      }
      if (matched == ID.length) {
        int start = i + matched;
        int stop = start;
        while (stop < end && bytes[stop] != '"') {
          stop++;
        }
        return new String(bytes, start, stop - start, StandardCharsets.US_ASCII);
      }
    }
    return null;
  }
}

package gilmok.lab.deliveries;

import gilmok.lab.load.LoadExchange;
import gilmok.lab.load.Requests;
import gilmok.lab.load.Response;
import org.jspecify.annotations.Nullable;

/** One delivery with its five steps. Owned by its lane. */
final class Scenario implements LoadExchange {
  /** The number of steps. */
  static final int STEPS = 5;

  private static final String[] ROUTES = {"", "accept", "assign", "pickup", "complete"};
  private static final int[] STATUSES = {201, 200, 200, 200, 200};
  private static final byte[] ID = Response.ascii("\"id\":\"");

  private final String run;
  private final String key;
  private final int shops;
  private final long number;
  private @Nullable String id;
  private int step;

  /**
   * A new delivery.
   *
   * @param run separates this run's orders from those of another
   * @param shops of how many shops this run's orders are
   */
  Scenario(String run, String key, int shops, long number) {
    this.run = run;
    this.key = key;
    this.shops = shops;
    this.number = number;
  }

  @Override
  public byte[] request() {
    if (step == 0) {
      String idempotency = "Idempotency-Key: " + run + "-" + number;
      return Requests.send("POST", "/v1/deliveries", key, order(), Requests.JSON, idempotency);
    }
    String body = step == 2 ? "{\"riderId\":\"rider-" + number % 5000 + "\"}" : "{}";
    String path = "/v1/deliveries/" + id + "/" + ROUTES[step];
    return Requests.send("POST", path, key, body, Requests.JSON);
  }

  private String order() {
    double lat = 37.45 + number % 997 / 10_000.0;
    double lon = 126.90 + number % 1009 / 10_000.0;
    return "{\"orderId\":\""
        + run
        + "-"
        + number
        + "\",\"shopId\":\"shop-"
        + number % shops
        + "\",\"pickup\":"
        + place(lat, lon, "12 Market Street\"},\"dropoff\":")
        + place(
            lat + 0.01, lon + 0.01, "7 Garden Road, third floor\",\"phone\":\"010-0000-0000\"},")
        + "\"fee\":3500,\"comment\":\"leave it at the door\"}";
  }

  private static String place(double lat, double lon, String address) {
    return "{\"lat\":" + lat + ",\"lon\":" + lon + ",\"address\":\"" + address;
  }

  @Override
  public @Nullable String check(Response response) {
    if (step == 0) {
      id = response.text(ID);
    }
    if (response.status() != STATUSES[step] || id == null) {
      return "step " + step + ": status " + response.status();
    }
    step++;
    return null;
  }

  @Override
  public boolean hasMore() {
    return step < STEPS;
  }
}

package gilmok.lab.deliveries;

import gilmok.lab.load.Acknowledging;
import gilmok.lab.load.LoadExchange;
import gilmok.lab.load.Requests;
import gilmok.lab.load.Response;
import gilmok.lab.load.Workload;
import org.jspecify.annotations.Nullable;

/** One delivery with its five steps. Owned by its lane. */
public final class DeliverySteps implements LoadExchange {
  /** The number of steps. */
  public static final int COUNT = 5;

  private static final int SHOPS = 1000;

  private static final String[] ROUTES = {"", "accept", "assign", "pickup", "complete"};
  private static final int[] STATUSES = {201, 200, 200, 200, 200};
  private static final byte[] ID = Response.ascii("\"id\":\"");

  /** Whole deliveries, one after the other; counts the steps that were taken. */
  private static final class Lane implements Workload, Acknowledging {
    private final String run;
    private final String key;
    private final int step;
    private long number;
    private long taken;

    private Lane(String run, String key, int lane, int lanes) {
      this.run = run;
      this.key = key;
      this.step = lanes;
      this.number = lane;
    }

    @Override
    public LoadExchange next() {
      number += step;
      return new DeliverySteps(run, key, SHOPS, number, () -> taken++);
    }

    @Override
    public long acknowledged() {
      return taken;
    }
  }

  private final String run;
  private final String key;
  private final int shops;
  private final long number;
  private final Runnable taken;
  private @Nullable String id;
  private int step;

  /**
   * A new delivery.
   *
   * @param run separates this run's orders from those of another
   * @param shops of how many shops this run's orders are
   */
  DeliverySteps(String run, String key, int shops, long number) {
    this(run, key, shops, number, () -> {});
  }

  private DeliverySteps(String run, String key, int shops, long number, Runnable taken) {
    this.run = run;
    this.key = key;
    this.shops = shops;
    this.number = number;
    this.taken = taken;
  }

  /**
   * Deliveries of one lane, one after the other.
   *
   * @param run separates this run's orders from those of another
   * @param lane its number
   * @param lanes how many there are
   */
  public static Workload of(String run, String key, int lane, int lanes) {
    return new Lane(run, key, lane, lanes);
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
    taken.run();
    return null;
  }

  @Override
  public boolean hasMore() {
    return step < COUNT;
  }
}

package gilmok.lab.load;

import java.util.Collections;

/**
 * A rendered HTTP request whose varying digits are overwritten in place, so that no position is
 * ever sent twice. The positions of one request belong to one rider and are a millisecond apart,
 * like a gathered upload of a phone; each pass over the riders advances {@code at}. Below 1,000
 * positions a second for each rider, {@code at} stays behind the clock, so consecutive runs do not
 * repeat each other's positions either. Not thread-safe: owned by one lane.
 */
final class PositionsTemplate {
  private static final byte[] PAIRS = pairs();
  private static final int RIDER_DIGITS = 6;
  private static final int AT_DIGITS = 13;
  private static final int DEGREE_DIGITS = 7;
  private static final int COUNT_DIGITS = 10;

  private final byte[] bytes;
  private final int[] slots;
  private final Shape shape;
  private final int riderFirst;
  private final int riderEnd;
  private int rider;
  private long at;
  private long count;
  private long random;

  /**
   * A template for a lane.
   *
   * @param lane which part of the riders belongs to this template
   * @param lanes the number of parts
   * @param startMillis the first {@code at}
   */
  PositionsTemplate(PositionsWorkload.Plan plan, int lane, int lanes, long startMillis) {
    this.shape = new Shape(plan.ids());
    String each = String.join(",", Collections.nCopies(plan.positions(), shape.text));
    boolean isList = plan.positions() > 1;
    String body = isList ? "[" + each + "]" : each;
    this.bytes = Requests.send("POST", plan.path(), plan.key(), body, Requests.JSON);
    this.slots = new int[plan.positions()];
    int first = bytes.length - body.length() + (isList ? 1 : 0);
    for (int i = 0; i < slots.length; i++) {
      slots[i] = first + i * (shape.text.length() + 1);
    }
    this.riderFirst = (int) ((long) plan.riders() * lane / lanes);
    this.riderEnd = (int) ((long) plan.riders() * (lane + 1) / lanes);
    this.rider = riderFirst;
    this.at = startMillis;
    this.random = 0x9E3779B97F4A7C15L * (startMillis + lane + 1);
  }

  /** The next request. The array is overwritten by the next call. */
  byte[] next() {
    for (int i = 0; i < slots.length; i++) {
      patch(slots[i], at + i);
    }
    rider++;
    if (rider == riderEnd) {
      rider = riderFirst;
      at += slots.length;
    }
    return bytes;
  }

  private void patch(int slot, long time) {
    random ^= random << 13;
    random ^= random >>> 7;
    random ^= random << 17;
    int low = (int) random & 0x7fffffff;
    int high = (int) (random >>> 32) & 0x7fffffff;
    digits(slot + shape.rider, RIDER_DIGITS, rider);
    digits(slot + shape.at, AT_DIGITS, time);
    digits(slot + shape.lat, DEGREE_DIGITS, 4_000_000L + low % 2_000_000);
    digits(slot + shape.lon, DEGREE_DIGITS, 8_000_000L + high % 2_000_000);
    bytes[slot + shape.speed] = (byte) ('1' + (low >>> 24) % 9);
    bytes[slot + shape.accuracy] = (byte) ('3' + (high >>> 24) % 7);
    digits(slot + shape.bearing, 2, (low >>> 12) % 100);
    digits(slot + shape.battery, 2, 10 + (high >>> 12) % 90);
    if (shape.id > 0) {
      digits(slot + shape.id, COUNT_DIGITS, count++);
      digits(slot + shape.id + COUNT_DIGITS + 1, RIDER_DIGITS, rider);
      digits(slot + shape.id + COUNT_DIGITS + RIDER_DIGITS + 2, AT_DIGITS, time);
    }
  }

  private void digits(int offset, int length, long value) {
    long rest = value;
    int end = offset + length;
    while (end - offset >= 2) {
      int pair = (int) (rest % 100) * 2;
      rest /= 100;
      bytes[--end] = PAIRS[pair + 1];
      bytes[--end] = PAIRS[pair];
    }
    if (end > offset) {
      bytes[offset] = (byte) ('0' + rest % 10);
    }
  }

  private static byte[] pairs() {
    byte[] pairs = new byte[200];
    for (int i = 0; i < 100; i++) {
      pairs[2 * i] = (byte) ('0' + i / 10);
      pairs[2 * i + 1] = (byte) ('0' + i % 10);
    }
    return pairs;
  }

  /** A rendered position, with the offsets of its varying digits. */
  private static final class Shape {
    private final String text;
    private final int rider;
    private final int at;
    private final int lat;
    private final int lon;
    private final int accuracy;
    private final int speed;
    private final int bearing;
    private final int battery;
    private final int id;

    Shape(boolean ids) {
      this.text =
          "{\"riderId\":\"rider-000000\",\"at\":0000000000000,\"lat\":37.0000000,\"lon\":126.0000000,"
              + "\"accuracy\":5.5,\"speed\":8.3,\"bearing\":200,\"battery\":0.82"
              + (ids ? ",\"id\":\"0000000000-000000-0000000000000\"}" : "}");
      this.rider = after("rider-");
      this.at = after("\"at\":");
      this.lat = after("\"lat\":37.");
      this.lon = after("\"lon\":126.");
      this.accuracy = after("\"accuracy\":");
      this.speed = after("\"speed\":");
      this.bearing = after("\"bearing\":2");
      this.battery = after("\"battery\":0.");
      this.id = ids ? after("\"id\":\"") : 0;
    }

    private int after(String mark) {
      return text.indexOf(mark) + mark.length();
    }
  }
}

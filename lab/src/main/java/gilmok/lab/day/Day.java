package gilmok.lab.day;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * A day of orders and couriers. Times are minutes of the day, places are in metres on a plane.
 *
 * @param orders sorted by the time they are placed
 */
public record Day(Rules rules, List<Courier> couriers, List<Order> orders) {
  /**
   * The speeds and durations of a day.
   *
   * @param metresPerMinute the speed of every courier
   * @param pickupMinutes the duration of a pickup
   * @param dropoffMinutes the duration of a drop-off
   * @param promisedMinutes the time from placement to the door that customers are promised
   * @param doorMinutesMax the longest time from placement to the door
   */
  public record Rules(
      double metresPerMinute,
      double pickupMinutes,
      double dropoffMinutes,
      double promisedMinutes,
      double doorMinutesMax) {
    /** An order with its promise, which is never before it is ready. */
    Order order(String name, Spot spot, Restaurant from, double placed, double ready) {
      return new Order(name, spot, from, placed, ready, Math.max(placed + promisedMinutes, ready));
    }
  }

  /**
   * A courier with a place and a shift.
   *
   * @param name the rider's id
   */
  public record Courier(String name, Spot spot, double onMinute, double offMinute) {}

  /**
   * An order of a customer at a restaurant.
   *
   * @param name unique within the day
   * @param spot the customer's place
   * @param dueMinute when it was promised to be there; null if nothing was promised
   */
  public record Order(
      String name,
      Spot spot,
      Restaurant restaurant,
      double placedMinute,
      double readyMinute,
      @Nullable Double dueMinute) {}

  /** A restaurant and its place. */
  public record Restaurant(String name, Spot spot) {}

  /**
   * Reads a day from the four files of a folder.
   *
   * @throws IOException naming the file, the line and what is wrong with it
   */
  static Day read(Path folder) throws IOException {
    Row parameters = rows(folder.resolve("instance_parameters.txt")).getFirst();
    Rules rules =
        new Rules(
            parameters.number("meters_per_minute"),
            parameters.number("pickup service minutes"),
            parameters.number("dropoff service minutes"),
            parameters.number("target click-to-door"),
            parameters.number("maximum click-to-door"));
    Map<String, Restaurant> restaurants = new HashMap<>();
    for (Row row : rows(folder.resolve("restaurants.txt"))) {
      restaurants.put(row.text("restaurant"), new Restaurant(row.text("restaurant"), row.spot()));
    }
    List<Courier> couriers = new ArrayList<>();
    for (Row row : rows(folder.resolve("couriers.txt"))) {
      couriers.add(
          new Courier(
              "courier-" + row.text("courier"),
              row.spot(),
              row.number("on_time"),
              row.number("off_time")));
    }
    List<Order> orders = new ArrayList<>();
    for (Row row : rows(folder.resolve("orders.txt"))) {
      Restaurant restaurant = restaurants.get(row.text("restaurant"));
      if (restaurant == null) {
        throw row.wrong("no such restaurant: " + row.text("restaurant"));
      }
      orders.add(
          rules.order(
              row.text("order"),
              row.spot(),
              restaurant,
              row.number("placement_time"),
              row.number("ready_time")));
    }
    orders.sort(Comparator.comparingDouble(Order::placedMinute));
    return new Day(rules, couriers, orders);
  }

  /**
   * A generated day, the same for the same arguments: orders around noon and in the evening,
   * restaurants in the middle of the city, couriers in two shifts. Metres and minutes are whole, as
   * in the published days.
   */
  static Day madeUp(int orders, int couriers, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    Rules rules = new Rules(320, 4, 4, 40, 90);
    List<Restaurant> restaurants = new ArrayList<>();
    for (int i = 1; i <= Math.max(1, orders / 4); i++) {
      restaurants.add(new Restaurant("r" + i, spot(random, 1500)));
    }
    List<Courier> shift = new ArrayList<>();
    for (int i = 1; i <= couriers; i++) {
      double on = i % 2 == 0 ? 630 : 990;
      shift.add(new Courier("courier-c" + i, spot(random, 2000), on, on + 300));
    }
    List<Order> asked = new ArrayList<>();
    for (int i = 1; i <= orders; i++) {
      double meal = random.nextBoolean() ? 735 : 1125;
      double placed = Math.rint(meal + 60 * random.nextGaussian() / 1.5);
      double ready = placed + random.nextInt(8, 15);
      Restaurant restaurant = restaurants.get(random.nextInt(restaurants.size()));
      asked.add(rules.order("o" + i, spot(random, 2500), restaurant, placed, ready));
    }
    asked.sort(Comparator.comparingDouble(Order::placedMinute));
    return new Day(rules, shift, asked);
  }

  private static Spot spot(SplittableRandom random, double spread) {
    double x = 8000 + spread * random.nextGaussian();
    double y = 8000 + spread * random.nextGaussian();
    return new Spot(Math.rint(x), Math.rint(y));
  }

  /** A line of a file; its cells by the column names of the header. */
  private record Row(Path file, int line, Map<String, String> cells) {
    String text(String column) throws IOException {
      String cell = cells.get(column);
      if (cell == null || cell.isBlank()) {
        throw wrong("nothing in the column \"" + column + "\"");
      }
      return cell.strip();
    }

    double number(String column) throws IOException {
      try {
        return Double.parseDouble(text(column));
      } catch (NumberFormatException none) {
        throw wrong("no number in the column \"" + column + "\": " + text(column));
      }
    }

    Spot spot() throws IOException {
      return new Spot(number("x"), number("y"));
    }

    IOException wrong(String what) {
      return new IOException(file + " line " + line + ": " + what);
    }
  }

  private static List<Row> rows(Path file) throws IOException {
    List<String> lines = Files.readAllLines(file);
    if (lines.size() < 2) {
      throw new IOException(file + ": no lines below its head");
    }
    String[] head = lines.getFirst().split("\t");
    List<Row> rows = new ArrayList<>();
    for (int i = 1; i < lines.size(); i++) {
      if (lines.get(i).isBlank()) {
        continue;
      }
      String[] cells = lines.get(i).split("\t");
      Map<String, String> row = new HashMap<>();
      for (int c = 0; c < Math.min(head.length, cells.length); c++) {
        row.put(head[c].strip(), cells[c]);
      }
      rows.add(new Row(file, i + 1, row));
    }
    return rows;
  }
}

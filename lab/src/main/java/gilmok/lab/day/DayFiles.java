package gilmok.lab.day;

import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Writes a day as the four files of mdrplib, which {@link Day#read} and other programs read. */
final class DayFiles {
  private static final String COURIER = "courier-";

  private DayFiles() {}

  /**
   * Writes a day's files in place of those that are there.
   *
   * @throws IOException when the folder cannot be made or written
   */
  static void write(Day day, Path folder) throws IOException {
    Files.createDirectories(folder);
    Day.Rules rules = day.rules();
    table(
        folder.resolve("instance_parameters.txt"),
        "meters_per_minute\tpickup service minutes\tdropoff service minutes\t"
            + "target click-to-door\tmaximum click-to-door",
        List.of(
            row(
                rules.metresPerMinute(),
                rules.pickupMinutes(),
                rules.dropoffMinutes(),
                rules.promisedMinutes(),
                rules.doorMinutesMax())));
    List<String> couriers = new ArrayList<>();
    for (Day.Courier courier : day.couriers()) {
      String name = courier.name();
      couriers.add(
          (name.startsWith(COURIER) ? name.substring(COURIER.length()) : name)
              + place(courier.spot())
              + row(courier.onMinute(), courier.offMinute()));
    }
    table(folder.resolve("couriers.txt"), "courier\tx\ty\ton_time\toff_time", couriers);
    Set<Day.Restaurant> restaurants = new LinkedHashSet<>();
    List<String> orders = new ArrayList<>();
    for (Day.Order order : day.orders()) {
      restaurants.add(order.restaurant());
      orders.add(
          order.name()
              + place(order.spot())
              + row(order.placedMinute())
              + "\t"
              + order.restaurant().name()
              + "\t"
              + row(order.readyMinute()));
    }
    table(
        folder.resolve("orders.txt"),
        "order\tx\ty\tplacement_time\trestaurant\tready_time",
        orders);
    table(
        folder.resolve("restaurants.txt"),
        "restaurant\tx\ty",
        restaurants.stream().map(one -> one.name() + place(one.spot()).stripTrailing()).toList());
  }

  private static void table(Path file, String head, List<String> rows) throws IOException {
    List<String> lines = new ArrayList<>(List.of(head));
    lines.addAll(rows);
    Files.write(file, lines);
  }

  /** The two cells of a place, between tabs. */
  private static String place(Spot spot) {
    return "\t" + row(spot.x(), spot.y()) + "\t";
  }

  private static String row(double... numbers) {
    List<String> cells = new ArrayList<>();
    for (double number : numbers) {
      // As whole numbers where they are: others' readers take no others.
      cells.add(BigDecimal.valueOf(number).stripTrailingZeros().toPlainString());
    }
    return String.join("\t", cells);
  }
}

package gilmok.lab.plan;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * An instance of the pickup and delivery problem with time windows, in the form of LKH: {@code
 * NODE_COORD_SECTION} with a number, x and y, and {@code PICKUP_AND_DELIVERY_SECTION} with a
 * number, demand, earliest, latest, service time, and the numbers of its pickup and its drop-off.
 * The first node is the depot. Of it run sheets are made: consecutive orders, by the earliest time
 * of their pickup, for one rider who begins and ends at the depot. Loads and time windows are not
 * kept, so only travel is compared. Ways are straight, in hundredths of the instance's unit.
 */
record PairedInstance(String name, Place depot, List<Pair> pairs) {
  private static final double HUNDREDTHS = 100;
  private static final int FIRST_PICKUP = 2;
  private static final int CELLS = 7;

  /** A place on the plane. */
  record Place(double x, double y) {
    long to(Place other) {
      return Math.round(HUNDREDTHS * Math.hypot(x - other.x, y - other.y));
    }
  }

  /** An order's two places, and when its pickup can begin. */
  record Pair(Place pickup, Place dropoff, double earliest) {}

  /** A node as its line has it; 0 for no pickup or drop-off. */
  private record Node(int number, double earliest, int pickup, int dropoff) {}

  /** Parses an instance. */
  static PairedInstance read(String text) {
    String name = "unnamed";
    String section = "";
    Map<Integer, Place> places = new HashMap<>();
    List<Node> nodes = new ArrayList<>();
    int number = 0;
    for (String line : text.lines().toList()) {
      number++;
      String[] cells = line.strip().split("\\s+");
      try {
        if (cells[0].matches("[A-Z].*")) {
          section = cells[0];
          name = line.matches("NAME *:.*") ? line.replaceFirst("[^:]*: *", "").strip() : name;
        } else if (!cells[0].isEmpty()) {
          switch (section) {
            case "NODE_COORD_SECTION" ->
                places.put(
                    Integer.parseInt(cells[0]),
                    new Place(Double.parseDouble(cells[1]), Double.parseDouble(cells[2])));
            case "PICKUP_AND_DELIVERY_SECTION" -> nodes.add(node(cells));
            default -> {
              // Of no use here.
            }
          }
        }
      } catch (NumberFormatException | ArrayIndexOutOfBoundsException unusable) {
        throw new IllegalArgumentException("line " + number + ": " + line, unusable);
      }
    }
    return of(name, places, nodes);
  }

  private static Node node(String[] cells) {
    if (cells.length != CELLS) {
      throw new NumberFormatException();
    }
    return new Node(
        Integer.parseInt(cells[0]),
        Double.parseDouble(cells[2]),
        Integer.parseInt(cells[5]),
        Integer.parseInt(cells[6]));
  }

  private static PairedInstance of(String name, Map<Integer, Place> places, List<Node> nodes) {
    if (nodes.isEmpty()) {
      throw new IllegalArgumentException("no PICKUP_AND_DELIVERY_SECTION");
    }
    List<Pair> pairs = new ArrayList<>();
    for (Node node : nodes) {
      if (node.dropoff != 0) {
        boolean isMutual =
            nodes.stream()
                .anyMatch(other -> other.number == node.dropoff && other.pickup == node.number);
        if (!isMutual) {
          throw new IllegalArgumentException(
              "node " + node.number + ": its drop-off " + node.dropoff + " has another pickup");
        }
        pairs.add(new Pair(place(places, node.number), place(places, node.dropoff), node.earliest));
      }
    }
    pairs.sort(Comparator.comparingDouble(Pair::earliest));
    return new PairedInstance(name, place(places, nodes.getFirst().number), List.copyOf(pairs));
  }

  private static Place place(Map<Integer, Place> places, int number) {
    Place place = places.get(number);
    if (place == null) {
      throw new IllegalArgumentException("node " + number + " has no coordinates");
    }
    return place;
  }

  /**
   * Sheets of consecutive orders. Orders that fill no sheet are left out.
   *
   * @param sizes orders of a sheet; those above the number of orders give none
   */
  List<Case> sheets(int[] sizes) {
    List<Case> sheets = new ArrayList<>();
    for (int size : sizes) {
      for (int i = 0; size > 0 && (i + 1) * size <= pairs.size(); i++) {
        sheets.add(
            sheet("%s-%02d-%d".formatted(name, size, i), pairs.subList(i * size, (i + 1) * size)));
      }
    }
    return sheets;
  }

  private Case sheet(String sheetName, List<Pair> orders) {
    List<Place> places = new ArrayList<>(List.of(depot, depot));
    for (Pair order : orders) {
      places.add(order.pickup);
      places.add(order.dropoff);
    }
    long[][] matrix = new long[FIRST_PICKUP + 2 * orders.size()][places.size()];
    for (int a = 0; a < matrix.length; a++) {
      for (int b = 0; b < matrix.length; b++) {
        matrix[a][b] = places.get(a).to(places.get(b));
      }
    }
    return Case.of(sheetName, matrix, 0);
  }
}

package gilmok.deliveries;

import java.util.ArrayList;
import java.util.List;

/**
 * Deliveries that are archived as one file and then removed. It is stored before the file is
 * written and forgotten when all are removed, so whoever was killed in between goes on with the
 * same deliveries and the same name. Immutable.
 *
 * @param name of the archive's file, without a suffix
 * @param isArchived whether the file is durable; only then may a delivery be removed
 * @param rows at least one, by id
 */
record RemovalPlan(String name, boolean isArchived, List<Row> rows) {
  private static final String PLANNED = "planned";
  private static final String ARCHIVED = "archived";

  RemovalPlan {
    rows = List.copyOf(rows);
    if (rows.isEmpty()) {
      throw new IllegalArgumentException("nothing to remove");
    }
  }

  /** A delivery as it was archived: if its revision has changed since, it stays. */
  record Row(String id, long revision) {}

  /** A plan for these deliveries, of which no file exists. */
  static RemovalPlan of(List<Row> rows) {
    return new RemovalPlan(rows.getFirst().id + "-" + rows.getLast().id, false, rows);
  }

  /** The highest id. */
  String last() {
    return rows.getLast().id;
  }

  /** The plan as it is stored: a line for the file, and one for each delivery. */
  String text() {
    StringBuilder text = new StringBuilder(rows.size() * (DeliveryId.CHARS + 6));
    text.append(isArchived ? ARCHIVED : PLANNED).append(' ').append(name).append('\n');
    rows.forEach(row -> text.append(row.id).append(' ').append(row.revision).append('\n'));
    return text.toString();
  }

  /**
   * Reads what {@link #text} has written.
   *
   * @throws IllegalArgumentException when it is anything else
   */
  static RemovalPlan read(String text) {
    String[] lines = text.split("\n");
    String[] head = lines[0].split(" ");
    if (head.length != 2 || !(head[0].equals(PLANNED) || head[0].equals(ARCHIVED))) {
      throw new IllegalArgumentException("no plan of a removal: " + lines[0]);
    }
    List<Row> rows = new ArrayList<>(lines.length - 1);
    for (int i = 1; i < lines.length; i++) {
      String[] parts = lines[i].split(" ");
      if (parts.length != 2 || !DeliveryId.isOne(parts[0])) {
        throw new IllegalArgumentException("no delivery of a removal: " + lines[i]);
      }
      rows.add(new Row(parts[0], Long.parseLong(parts[1])));
    }
    return new RemovalPlan(head[1], head[0].equals(ARCHIVED), rows);
  }
}

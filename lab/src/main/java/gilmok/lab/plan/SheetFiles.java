package gilmok.lab.plan;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Reads published run sheets out of a set's folder: tsppdlib's JSON, one sheet a file, or an
 * instance of the pickup and delivery problem with time windows, which is cut into sheets.
 */
final class SheetFiles {
  private static final String START = "+0";

  private SheetFiles() {}

  /**
   * All sheets of a folder, by size and then by name.
   *
   * @param cut the sizes of sheets into which a larger instance is cut
   * @throws IOException naming the file and what is wrong with it
   */
  static List<Case> read(Path folder, int[] cut) throws IOException {
    List<Case> cases = new ArrayList<>();
    try (Stream<Path> all = Files.list(folder)) {
      for (Path file : all.sorted().toList()) {
        String name = file.getFileName().toString();
        try {
          if (name.endsWith(".json")) {
            cases.add(tsppd(Files.readString(file)));
          } else if (name.endsWith(".vrp")) {
            cases.addAll(PairedInstance.read(Files.readString(file)).sheets(cut));
          }
        } catch (IllegalArgumentException | JacksonException unusable) {
          throw new IOException(file + ": " + unusable.getMessage(), unusable);
        }
      }
    }
    if (cases.isEmpty()) {
      throw new IOException(folder + ": no run sheets are in it");
    }
    cases.sort(Comparator.comparingInt(Case::orders).thenComparing(Case::name));
    return cases;
  }

  /** One of tsppdlib's sheets: its nodes in any order, its best cost not known. */
  static Case tsppd(String text) {
    JsonNode json = JsonMapper.shared().readTree(text);
    Map<String, Integer> places = new HashMap<>();
    for (JsonNode node : json.path("nodes")) {
      places.put(node.asString(""), places.size());
    }
    JsonNode pairs = json.path("precedence");
    List<Integer> order = new ArrayList<>();
    add(START, pairs, places, order);
    for (String first : pairs.propertyNames()) {
      if (!first.equals(START)) {
        add(first, pairs, places, order);
      }
    }
    if (order.size() != places.size()) {
      throw new IllegalArgumentException("some nodes are in no pair");
    }
    JsonNode edges = json.path("edges");
    long[][] matrix = new long[order.size()][order.size()];
    for (int a = 0; a < matrix.length; a++) {
      for (int b = 0; b < matrix.length; b++) {
        JsonNode edge = edges.path(order.get(a)).path(order.get(b));
        if (!edge.isIntegralNumber()) {
          throw new IllegalArgumentException(
              "no whole number in edges[" + order.get(a) + "][" + order.get(b) + "]");
        }
        matrix[a][b] = edge.asLong();
      }
    }
    return Case.of(json.path("name").asString("unnamed"), matrix, 0);
  }

  private static void add(
      String first, JsonNode pairs, Map<String, Integer> places, List<Integer> order) {
    String second = pairs.path(first).asString("");
    Integer from = places.get(first);
    Integer to = places.get(second);
    if (from == null || to == null) {
      throw new IllegalArgumentException("no pair of nodes: " + first + ", " + second);
    }
    order.add(from);
    order.add(to);
  }
}

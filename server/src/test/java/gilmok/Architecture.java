package gilmok;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * The rules about which package may import which, as pure functions over the dependencies between
 * classes. The table is in ARCHITECTURE.md, and {@link PackageTable} reads it.
 */
final class Architecture {
  private static final String ROOT = "gilmok.";

  /** A dependency between two classes, given by their full names. */
  record Dependency(String from, String to) {
    String fromPackage() {
      return packageOf(from);
    }

    String toPackage() {
      return packageOf(to);
    }
  }

  /**
   * One row of the table.
   *
   * @param name the package without {@code gilmok.}
   * @param starred whether it imports only the JDK, apart from what its row allows
   * @param ours packages of ours that it may import; {@code x.*} is every package below {@code x}
   * @param theirs prefixes of foreign packages that a starred package may import nevertheless
   */
  record Row(String name, boolean starred, Set<String> ours, Set<String> theirs) {
    boolean mayImport(String other) {
      return ours.contains("*")
          || ours.contains(other)
          || ours.stream()
              .anyMatch(
                  one ->
                      one.endsWith(".*") && other.startsWith(one.substring(0, one.length() - 1)));
    }
  }

  /**
   * Foreign code that only some classes may use.
   *
   * @param prefix the prefix of the foreign packages
   * @param mayUse accepts the full names of the classes that may
   */
  record Fence(String prefix, Predicate<String> mayUse) {}

  private Architecture() {}

  /** All violations of the rules, one line each, sorted. */
  static List<String> problems(Collection<Row> table, List<Fence> fences, List<Dependency> edges) {
    Map<String, Row> rows = new HashMap<>();
    table.forEach(row -> rows.put(row.name(), row));
    Set<String> problems = new TreeSet<>();
    for (Dependency edge : edges) {
      if (isOurs(edge.from())) {
        check(rows, edge, problems);
        checkFences(fences, edge, problems);
      }
    }
    problems.addAll(cycles(edges));
    return List.copyOf(problems);
  }

  private static void check(Map<String, Row> rows, Dependency edge, Set<String> problems) {
    String from = edge.fromPackage();
    Row row = rows.get(from);
    if (row == null) {
      problems.add(from + " is not in the table");
      return;
    }
    if (isOurs(edge.to())) {
      String to = edge.toPackage();
      if (!to.equals(from) && !row.mayImport(to)) {
        problems.add(from + " must not import " + to + ": " + edge.from() + " -> " + edge.to());
      }
    } else if (row.starred() && !isOfJdk(edge.to()) && !startsWithAny(edge.to(), row.theirs())) {
      problems.add(from + " imports the JDK only: " + edge.from() + " -> " + edge.to());
    }
  }

  private static void checkFences(List<Fence> fences, Dependency edge, Set<String> problems) {
    for (Fence fence : fences) {
      if (edge.to().startsWith(fence.prefix()) && !fence.mayUse().test(topLevel(edge.from()))) {
        problems.add(edge.from() + " must not use " + fence.prefix() + "*: " + edge.to());
      }
    }
  }

  /** Packages of ours that depend on each other in a cycle. */
  private static List<String> cycles(List<Dependency> edges) {
    Map<String, Set<String>> needs = new TreeMap<>();
    for (Dependency edge : edges) {
      if (isOurs(edge.from())
          && isOurs(edge.to())
          && !edge.fromPackage().equals(edge.toPackage())) {
        needs.computeIfAbsent(edge.fromPackage(), one -> new TreeSet<>()).add(edge.toPackage());
      }
    }
    List<String> cycles = new ArrayList<>();
    for (String start : needs.keySet()) {
      if (reached(needs, start).contains(start)) {
        cycles.add(start + " is part of a cycle");
      }
    }
    return cycles;
  }

  /**
   * Everything that {@code start} needs, directly or not; {@code start} itself only if it is in a
   * cycle.
   */
  static Set<String> reached(Map<String, Set<String>> needs, String start) {
    Set<String> reached = new HashSet<>();
    List<String> open = new ArrayList<>(needs.getOrDefault(start, Set.of()));
    while (!open.isEmpty()) {
      String next = open.removeLast();
      if (reached.add(next)) {
        open.addAll(needs.getOrDefault(next, Set.of()));
      }
    }
    return reached;
  }

  /** Whether a class is the JDK's. Annotations about null count too: they leave no code. */
  private static boolean isOfJdk(String name) {
    return startsWithAny(
        name, Set.of("java.", "javax.", "jdk.", "sun.misc.", "org.jspecify.annotations."));
  }

  private static boolean isOurs(String name) {
    return name.startsWith(ROOT);
  }

  private static boolean startsWithAny(String name, Set<String> prefixes) {
    return prefixes.stream().anyMatch(name::startsWith);
  }

  /** The package of a class; without {@code gilmok.} if the class is ours. */
  private static String packageOf(String name) {
    String inside = isOurs(name) ? name.substring(ROOT.length()) : name;
    int end = inside.lastIndexOf('.');
    return end < 0 ? "" : inside.substring(0, end);
  }

  /** The name of the outermost class around it. */
  static String topLevel(String name) {
    int nested = name.indexOf('$');
    return nested < 0 ? name : name.substring(0, nested);
  }
}

package gilmok;

import gilmok.Architecture.Dependency;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Finds classes of one package that depend on each other in a circle. A pure function over the
 * dependencies between classes; a nested class counts as the one around it.
 */
final class Circles {
  private Circles() {}

  /** Every circle, as in {@code http: Cors Router}: the package, then the names of its classes. */
  static Set<String> in(Collection<Dependency> edges) {
    Map<String, Set<String>> needs = new TreeMap<>();
    for (Dependency edge : edges) {
      String from = Architecture.topLevel(edge.from());
      String to = Architecture.topLevel(edge.to());
      if (edge.fromPackage().equals(edge.toPackage()) && !from.equals(to)) {
        needs.computeIfAbsent(from, one -> new TreeSet<>()).add(to);
      }
    }
    Map<String, Set<String>> reached = new TreeMap<>();
    needs.keySet().forEach(start -> reached.put(start, Architecture.reached(needs, start)));
    Set<String> circles = new TreeSet<>();
    reached.forEach(
        (one, others) -> {
          if (others.contains(one)) {
            circles.add(circle(reached, one));
          }
        });
    return circles;
  }

  /** The circle that a class is part of: the classes that it reaches and that reach it. */
  private static String circle(Map<String, Set<String>> reached, String one) {
    StringBuilder circle = new StringBuilder(new Dependency(one, one).fromPackage()).append(':');
    for (String other : new TreeSet<>(reached.getOrDefault(one, Set.of()))) {
      if (reached.getOrDefault(other, Set.of()).contains(one)) {
        circle.append(' ').append(other.substring(other.lastIndexOf('.') + 1));
      }
    }
    return circle.toString();
  }
}

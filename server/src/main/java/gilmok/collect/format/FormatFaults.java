package gilmok.collect.format;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What is wrong with a declaration, noted while its entries are read. Not thread-safe. */
final class FormatFaults {
  private final List<String> problems = new ArrayList<>();

  /** Everything that is wrong. */
  List<String> all() {
    return problems;
  }

  /** Notes a problem of a field; of the whole where that is empty. */
  void problem(String field, String why) {
    problems.add(field.isEmpty() ? why : field + ": " + why);
  }

  /** Checks that there are no entries but these. */
  void only(String prefix, Map<?, ?> tree, Set<String> known) {
    for (Object key : tree.keySet()) {
      if (!known.contains(String.valueOf(key))) {
        problem(
            prefix + key,
            "there is no such entry; there are "
                + known.stream().sorted().collect(Collectors.joining(", ")));
      }
    }
  }

  /** A text; null when it is absent or none. */
  @Nullable String text(Map<?, ?> tree, String prefix, String key) {
    Object value = tree.get(key);
    if (value == null) {
      return null;
    }
    if (value instanceof Map || value instanceof List) {
      problem(prefix + key, "must be a text");
      return null;
    }
    return value.toString();
  }
}

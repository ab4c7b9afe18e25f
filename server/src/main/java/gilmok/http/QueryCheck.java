package gilmok.http;

import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What is wrong with the names of a query's parameters. Immutable.
 *
 * @param field the parameter's name
 */
record QueryCheck(String field, String reason) {
  private static final int NAME_CHARS_MAX = 64;

  /** The first parameter that the route does not take, or not more than once; null for none. */
  static @Nullable QueryCheck of(Route route, String query) {
    if (query.isEmpty() || !route.isQueryChecked()) {
      return null;
    }
    Set<String> given = new HashSet<>();
    for (String name : PercentEncoding.names(query)) {
      if (route.queryParameters().contains(name + "*")) {
        continue;
      }
      if (!route.queryParameters().contains(name)) {
        String shown = name.substring(0, Math.min(NAME_CHARS_MAX, name.length()));
        return new QueryCheck(shown, "is not a parameter of this route");
      }
      if (!given.add(name)) {
        return new QueryCheck(name, "given twice");
      }
    }
    return null;
  }
}

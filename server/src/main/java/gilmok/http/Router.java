package gilmok.http;

import static java.util.stream.Collectors.joining;

import io.vertx.core.http.HttpMethod;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Finds the routes of a path: exact paths by a hash map, then patterns, those with more literal
 * segments first. A path such as {@code /?id} matches a request for {@code /} with that parameter,
 * and is tried before {@code /}. Immutable.
 */
final class Router {
  private final Map<String, Paths> exact = new HashMap<>();
  private final Map<Integer, List<Paths>> patterns = new HashMap<>();
  private final @Nullable Route elsewhere;

  Router(List<Route> routes) {
    Map<String, List<Route>> byPath = new HashMap<>();
    Route rest = null;
    for (Route route : routes) {
      if (route.path().equals(Route.ELSEWHERE)) {
        rest = route;
        continue;
      }
      byPath.computeIfAbsent(route.path(), path -> new ArrayList<>()).add(route);
    }
    elsewhere = rest;
    List<Paths> asked = new ArrayList<>();
    for (List<Route> same : byPath.values()) {
      Paths paths = new Paths(same);
      if (!paths.parameter.isEmpty()) {
        asked.add(paths);
      } else if (paths.literals == paths.segments.length) {
        exact.put(paths.pattern, paths);
      } else {
        patterns.computeIfAbsent(paths.segments.length, n -> new ArrayList<>()).add(paths);
      }
    }
    for (List<Paths> sameLength : patterns.values()) {
      sameLength.sort(Comparator.comparingInt((Paths paths) -> -paths.literals));
    }
    for (Paths paths : asked) {
      Paths plain = exact.get(paths.pattern);
      if (plain == null) {
        throw new IllegalArgumentException("no route for " + paths.pattern + " without parameter");
      }
      plain.asked.add(paths);
    }
  }

  /** Where requests go that this server does not take; null where they are refused. */
  @Nullable Route elsewhere() {
    return elsewhere;
  }

  /** The routes of a request; null when there are none. */
  @Nullable Paths find(HttpRequest request) {
    Paths found = find(request.path);
    return found == null || found.asked.isEmpty() ? found : found.asked(request);
  }

  /** The routes of a path, as it was sent and without the query; null when there are none. */
  @Nullable Paths find(String path) {
    Paths found = exact.get(path);
    return found != null || patterns.isEmpty() ? found : matching(path);
  }

  private @Nullable Paths matching(String path) {
    int count = 0;
    for (int i = 0; i < path.length(); i++) {
      if (path.charAt(i) == '/') {
        count++;
      }
    }
    List<Paths> candidates = patterns.get(count);
    if (candidates != null) {
      for (Paths candidate : candidates) {
        if (candidate.matches(path)) {
          return candidate;
        }
      }
    }
    return null;
  }

  /** The routes of one path or pattern, by method. */
  static final class Paths {
    private final String pattern;
    private final String parameter;
    private final List<Paths> asked = new ArrayList<>(0);
    private final String[] segments;
    private final int literals;
    private final Map<HttpMethod, Route> byMethod = new LinkedHashMap<>();
    private final String allow;

    private Paths(List<Route> routes) {
      String path = routes.getFirst().path();
      int mark = path.indexOf('?');
      this.pattern = mark < 0 ? path : path.substring(0, mark);
      this.parameter = mark < 0 ? "" : path.substring(mark + 1);
      if (!pattern.startsWith("/")) {
        throw new IllegalArgumentException("a route's path begins with /: " + pattern);
      }
      this.segments = pattern.substring(1).split("/", -1);
      int plain = 0;
      for (String segment : segments) {
        plain += isParameter(segment) ? 0 : 1;
      }
      this.literals = plain;
      for (Route route : routes) {
        if (byMethod.put(HttpMethod.valueOf(route.method()), route) != null) {
          throw new IllegalArgumentException("two routes for " + route.method() + " " + path);
        }
        if (route.method().equals("GET")) {
          byMethod.put(HttpMethod.HEAD, route);
        }
      }
      this.allow = byMethod.keySet().stream().map(HttpMethod::name).collect(joining(", "));
    }

    /** The route for a method; null when there is none. HEAD gets the route of GET. */
    @Nullable Route route(HttpMethod method) {
      return byMethod.get(method);
    }

    /** The allowed methods, as the value of the header Allow. */
    String allow() {
      return allow;
    }

    /** The segment of the path at the position of that parameter in the pattern, undecoded. */
    String parameter(String path, String name) {
      int from = 1;
      for (String segment : segments) {
        int to = path.indexOf('/', from);
        to = to < 0 ? path.length() : to;
        if (isParameter(segment)
            && segment.length() == name.length() + 2
            && segment.startsWith(name, 1)) {
          return path.substring(from, to);
        }
        from = to + 1;
      }
      throw new IllegalArgumentException(pattern + " has no parameter " + name);
    }

    private Paths asked(HttpRequest request) {
      for (Paths paths : asked) {
        if (request.query(paths.parameter) != null && paths.route(request.head.method()) != null) {
          return paths;
        }
      }
      return this;
    }

    private boolean matches(String path) {
      if (path.isEmpty() || path.charAt(0) != '/') {
        return false;
      }
      int from = 1;
      for (String segment : segments) {
        int to = path.indexOf('/', from);
        to = to < 0 ? path.length() : to;
        if (isParameter(segment)) {
          if (to == from) {
            return false;
          }
        } else if (to - from != segment.length() || !path.startsWith(segment, from)) {
          return false;
        }
        from = to + 1;
      }
      return true;
    }

    private static boolean isParameter(String segment) {
      return segment.startsWith("{") && segment.endsWith("}");
    }
  }
}

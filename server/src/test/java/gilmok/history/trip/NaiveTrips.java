package gilmok.history.trip;

import gilmok.geo.Distance;
import gilmok.geo.PointE7;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;

/**
 * Stays and trips by their definition, out of lists that hold every point: the oracle of {@link
 * StayFinder} and {@link FixFilter}. It looks ahead, computes each mean anew from all its points,
 * and sums a trip up when its two ends are known. It shares nothing with them but the distance.
 */
final class NaiveTrips {
  private static final long AWAY_MILLIS = 120_000;

  /** A point as it came. */
  record Raw(long at, int lat, int lon, double accuracy) {}

  /** Points that are one place: from the first to the last, with excursions between. */
  private record Visit(int first, int last, int lat, int lon) {}

  private final List<Raw> points;
  private final TripRules rules;
  private final List<Record> all = new ArrayList<>();

  private NaiveTrips(List<Raw> points, TripRules rules) {
    this.points = points;
    this.rules = rules;
  }

  static List<Record> of(List<Raw> raw, TripRules rules) {
    NaiveTrips trips = new NaiveTrips(plausible(raw), rules);
    trips.divide();
    return trips.all;
  }

  /** The points that a filter lets through, in any order of {@code raw}. */
  static List<Raw> plausible(List<Raw> raw) {
    TreeMap<Long, Raw> byTime = new TreeMap<>();
    Comparator<Raw> best =
        Comparator.comparingDouble(Raw::accuracy)
            .thenComparingInt(Raw::lat)
            .thenComparingInt(Raw::lon);
    raw.forEach(
        point ->
            byTime.merge(
                point.at, point, (one, other) -> best.compare(one, other) <= 0 ? one : other));
    List<Raw> plausible = new ArrayList<>();
    List<Raw> doubtful = new ArrayList<>();
    for (Raw point : byTime.values()) {
      if (point.accuracy > 200) {
        continue;
      }
      if (plausible.isEmpty() || canGo(plausible.getLast(), point)) {
        doubtful.clear();
        plausible.add(point);
        continue;
      }
      if (!doubtful.isEmpty() && !canGo(doubtful.getLast(), point)) {
        doubtful.clear();
      }
      doubtful.add(point);
      if (doubtful.size() == 5) {
        doubtful.clear();
        plausible.add(point);
      }
    }
    return plausible;
  }

  private static boolean canGo(Raw from, Raw to) {
    return metres(from, to) <= 60 * (Math.max(to.at - from.at, 1_000) / 1_000.0);
  }

  private static double metres(Raw from, Raw to) {
    return Distance.metres(from.lat, from.lon, to.lat, to.lon);
  }

  private void divide() {
    List<Visit> stays = new ArrayList<>();
    int start = 0;
    while (start < points.size()) {
      start = visit(start, stays);
    }
    int from = 0;
    for (Visit stay : stays) {
      trips(from, stay.first);
      all.add(
          new Stay(
              points.get(stay.first).at,
              points.get(stay.last).at,
              stay.lat,
              stay.lon,
              stay.last - stay.first + 1L));
      from = stay.last;
    }
    trips(from, points.size() - 1);
  }

  /** Follows the visit that begins with a point; returns where the next one begins. */
  private int visit(int start, List<Visit> stays) {
    List<Raw> members = new ArrayList<>(List.of(points.get(start)));
    int last = start;
    int away = -1;
    int at = start + 1;
    for (; at < points.size(); at++) {
      Raw point = points.get(at);
      if (away >= 0 && point.at - points.get(away).at >= AWAY_MILLIS) {
        break;
      }
      if (isPart(members, point)) {
        members.add(point);
        last = at;
        away = -1;
      } else if (away < 0) {
        away = at;
      }
    }
    if (points.get(last).at - points.get(start).at >= rules.stay().toMillis()) {
      stays.add(new Visit(start, last, meanLat(members), meanLon(members)));
    }
    return away < 0 ? points.size() : latest(away, at);
  }

  /** Where the last group of points among those of an excursion begins. */
  private int latest(int from, int to) {
    int start = from;
    for (int at = from + 1; at < to; at++) {
      List<Raw> group = points.subList(start, at);
      if (distance(group, points.get(at)) > rules.radiusMetres()) {
        start = at;
      }
    }
    return start;
  }

  private boolean isPart(List<Raw> members, Raw point) {
    long stay = rules.stay().toMillis();
    double near = rules.radiusMetres();
    boolean isSilent = point.at - members.getLast().at >= stay;
    boolean isStay = members.getLast().at - members.getFirst().at >= stay;
    return distance(members, point) <= (isSilent || isStay ? 2 * near : near)
        || (isSilent && metres(members.getLast(), point) <= 2 * near);
  }

  private static double distance(List<Raw> members, Raw point) {
    return Distance.metres(meanLat(members), meanLon(members), point.lat, point.lon);
  }

  private static int meanLat(List<Raw> members) {
    long sum = members.stream().mapToLong(Raw::lat).sum();
    return (int) Math.floorDiv(sum, members.size());
  }

  /** The mean of longitudes that may lie on both sides of the date line. */
  private static int meanLon(List<Raw> members) {
    long circle = 3_600_000_000L;
    long first = members.getFirst().lon;
    long sum = 0;
    for (Raw member : members) {
      long lon = member.lon;
      while (lon - first > circle / 2) {
        lon -= circle;
      }
      while (lon - first < -circle / 2) {
        lon += circle;
      }
      sum += lon;
    }
    long mean = Math.floorDiv(sum, members.size());
    return (int) (mean > circle / 2 ? mean - circle : mean < -circle / 2 ? mean + circle : mean);
  }

  /** The trips from a point to another: one, or more where the phone was silent for long. */
  private void trips(int from, int to) {
    int start = from;
    for (int at = from; at < to; at++) {
      if (points.get(at + 1).at - points.get(at).at > rules.gap().toMillis()) {
        trip(start, at);
        start = at + 1;
      }
    }
    trip(start, to);
  }

  private void trip(int from, int to) {
    if (to <= from) {
      return;
    }
    long millimetres = 0;
    long moving = 0;
    for (int at = from; at < to; at++) {
      double metres = metres(points.get(at), points.get(at + 1));
      long millis = points.get(at + 1).at - points.get(at).at;
      if (canGo(points.get(at), points.get(at + 1))) {
        millimetres += Math.round(metres * 1_000);
        moving += metres * 1_000 >= millis ? millis : 0;
      }
    }
    Raw first = points.get(from);
    Raw last = points.get(to);
    all.add(
        new Trip(
            first.at,
            last.at,
            millimetres,
            moving,
            last.at - first.at - moving,
            to - from + 1L,
            PointE7.of(first.lat, first.lon),
            PointE7.of(last.lat, last.lon)));
  }
}

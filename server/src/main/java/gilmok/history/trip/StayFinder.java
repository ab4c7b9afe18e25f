package gilmok.history.trip;

import gilmok.geo.Distance;
import gilmok.geo.PointE7;

/**
 * Finds stays, and the trips between them, in one pass.
 *
 * <p>The method is the time-based clustering of J. H. Kang, W. Welbourne, B. Stewart and G.
 * Borriello, Extracting Places from Traces of Locations (WMASH 2004). A point belongs to the
 * present cluster if it is within the radius of the cluster's mean. If not, it is set aside. If the
 * rider comes back soon, nothing happened; else the cluster is over. It was a stay if it lasted
 * long enough, and else a part of a trip.
 *
 * <p>Theirs sets a number of points aside and begins the next cluster with the last of them. Here a
 * time counts, {@link TripRules#AWAY}, as phones send at any rate; and what is set aside is a
 * cluster itself, the <i>next</i> one, which begins anew with each point that is far from its mean.
 * So no point is kept, and a stay loses none of its beginning. And who has stayed long enough may
 * be at twice the radius before counting as away, as with a Schmitt trigger: what scatters indoors
 * would else be many stays.
 *
 * <p>Silence is no border by itself: who is heard again where he fell silent has stayed there. Who
 * is heard again elsewhere after more than {@link TripRules#gap} has made a trip of which nothing
 * is known; none is told, and another one begins.
 *
 * <p>Not thread-safe: owned by whoever reads the points.
 */
public final class StayFinder implements PointSink {
  /** How many times the radius a stay reaches, once it is one. */
  private static final int WIDER = 2;

  private final TripSink sink;
  private final int radius;
  private final long stayMillis;
  private final long gapMillis;
  private final long awayMillis = TripRules.AWAY.toMillis();

  private PointCluster present = new PointCluster();

  // Where the rider is while not in the present cluster, since when, and the way there.
  private PointCluster next = new PointCluster();
  private final Way between = new Way();
  private boolean isAway;
  private long awaySince;
  private int awayLat;
  private int awayLon;
  private boolean isAfterSilence;

  // The trip so far, up to the present cluster.
  private final Way trip = new Way();
  private long tripAt;
  private int tripLat;
  private int tripLon;

  private long lastAt;
  private int lastLat;
  private int lastLon;

  /** Finds stays and trips by some rules for a sink. */
  public StayFinder(TripRules rules, TripSink sink) {
    this.sink = sink;
    this.radius = rules.radiusMetres();
    this.stayMillis = rules.stay().toMillis();
    this.gapMillis = rules.gap().toMillis();
  }

  @Override
  public void point(long atMillis, int latE7, int lonE7, double accuracy) {
    if (isAway && atMillis - awaySince >= awayMillis) {
      leave();
    }
    if (present.isEmpty()) {
      present.start(atMillis, latE7, lonE7);
      beginTrip(atMillis, latE7, lonE7);
    } else {
      go(atMillis, latE7, lonE7);
    }
    lastAt = atMillis;
    lastLat = latE7;
    lastLon = lonE7;
  }

  @Override
  public void end() {
    if (!present.isEmpty()) {
      leave();
      if (!present.isEmpty()) {
        leave();
      }
      endTrip(lastAt, lastLat, lastLon);
    }
  }

  private void go(long at, int lat, int lon) {
    double metres = Distance.metres(lastLat, lastLon, lat, lon);
    long millis = at - lastAt;
    if (isHere(at, lat, lon)) {
      comeBack();
      present.way().add(metres, millis);
      present.add(at, lat, lon);
    } else if (!isAway) {
      isAway = true;
      awaySince = at;
      awayLat = lat;
      awayLon = lon;
      isAfterSilence = millis > gapMillis;
      if (!isAfterSilence) {
        between.add(metres, millis);
      }
      next.start(at, lat, lon);
    } else if (next.isNear(lat, lon, radius)) {
      next.way().add(metres, millis);
      next.add(at, lat, lon);
    } else {
      between.add(next.way());
      between.add(metres, millis);
      next.start(at, lat, lon);
    }
  }

  /**
   * Whether a point belongs to the present cluster. Around what is a stay already, or was before a
   * silence as long as one, it is enough to be within twice the radius: fixes indoors scatter.
   */
  private boolean isHere(long at, int lat, int lon) {
    boolean wasSilent = at - present.lastAt() >= stayMillis;
    boolean isWide = wasSilent || present.millis() >= stayMillis;
    return present.isNear(lat, lon, isWide ? WIDER * radius : radius)
        || (wasSilent
            && Distance.metres(present.lastLat(), present.lastLon(), lat, lon) <= WIDER * radius);
  }

  /** The way out and back becomes a part of the present cluster. */
  private void comeBack() {
    if (isAway) {
      if (isAfterSilence) {
        present.way().add(0, awaySince - present.lastAt());
      }
      present.way().add(between);
      present.way().add(next.way());
      setNothingAside();
    }
  }

  /** The present cluster is over, and the next one takes its place. */
  private void leave() {
    if (present.millis() >= stayMillis) {
      endTrip(present.firstAt(), present.firstLat(), present.firstLon());
      sink.stay(
          new Stay(
              present.firstAt(),
              present.lastAt(),
              present.centreLat(),
              present.centreLon(),
              present.way().steps() + 1));
      beginTrip(present.lastAt(), present.lastLat(), present.lastLon());
    } else {
      trip.add(present.way());
    }
    if (isAfterSilence) {
      endTrip(present.lastAt(), present.lastLat(), present.lastLon());
      beginTrip(awaySince, awayLat, awayLon);
    }
    trip.add(between);
    PointCluster over = present;
    present = next;
    next = over;
    setNothingAside();
  }

  private void setNothingAside() {
    next.clear();
    between.clear();
    isAway = false;
    isAfterSilence = false;
  }

  private void beginTrip(long at, int lat, int lon) {
    trip.clear();
    tripAt = at;
    tripLat = lat;
    tripLon = lon;
  }

  private void endTrip(long at, int lat, int lon) {
    if (trip.steps() > 0) {
      sink.trip(
          new Trip(
              tripAt,
              at,
              trip.millimetres(),
              trip.movingMillis(),
              trip.idleMillis(),
              trip.steps() + 1,
              PointE7.of(tripLat, tripLon),
              PointE7.of(lat, lon)));
    }
    trip.clear();
  }
}

package gilmok.history;

import gilmok.event.JsonBuffer;
import gilmok.geo.PointE7;
import gilmok.history.HistoryMeters.Kind;
import gilmok.history.trip.FixFilter;
import gilmok.history.trip.Stay;
import gilmok.history.trip.StayFinder;
import gilmok.history.trip.Trip;
import gilmok.history.trip.TripSink;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Reckons a list of stays or of trips out of positions. Not thread-safe: one thread at a time has
 * the question.
 */
final class StopsAnswer implements HistoryAnswer {
  private static final double E7 = 1e7;

  /** So many positions are looked at before others have their turn. */
  private static final int TURN_POINTS = 50_000;

  private final StopsQuestion question;
  private final RiderWalk walk;
  private final QuestionCounts counts;
  private final FixFilter finder;
  private final JsonBuffer found = new JsonBuffer();
  private String before = "{\"items\":[";
  private String rider = "";

  /**
   * Begins with the first rider.
   *
   * @param kind stays or trips
   */
  StopsAnswer(StopsQuestion question, Kind kind, PastPoints past, QuestionCounts counts)
      throws IOException, InterruptedException {
    this.question = question;
    this.counts = counts;
    walk = new RiderWalk(past, question.riders(), "", null);
    TripSink sink = kind == Kind.STAYS ? new Stays() : new Trips();
    finder = new FixFilter(new StayFinder(question.rules(), sink));
  }

  @Override
  public String contentType() {
    return "application/json";
  }

  @Override
  public @Nullable String tag() throws IOException, InterruptedException {
    return walk.tag(question.text());
  }

  @Override
  public boolean write(JsonBuffer out) throws IOException, InterruptedException {
    int points = 0;
    while (points++ < TURN_POINTS && found.size() < PIECE_BYTES) {
      String whose = walk.rider();
      if (whose == null) {
        (before.equals(",") ? found : found.ascii(before)).ascii("],\"next\":null}");
        break;
      }
      rider = whose;
      TracePoint point = walk.next();
      if (point == null) {
        finder.end();
        walk.nextRider();
      } else {
        finder.point(
            point.atMillis(),
            (int) Math.round(point.lat() * E7),
            (int) Math.round(point.lon() * E7),
            point.measured().accuracy());
      }
    }
    out.raw(found.bytes(), 0, found.size());
    found.clear();
    return walk.rider() != null;
  }

  private void begin(long fromMillis, long toMillis) {
    found.ascii(before).ascii("{\"riderId\":").string(rider);
    before = ",";
    found.ascii(",\"from\":").time(fromMillis).ascii(",\"to\":").time(toMillis);
    counts.answered();
  }

  private void place(int latE7, int lonE7) {
    found.ascii("\"lat\":").decimal(latE7, 7).ascii(",\"lon\":").decimal(lonE7, 7);
  }

  private final class Stays implements TripSink {
    @Override
    public void stay(Stay stay) {
      begin(stay.fromMillis(), stay.toMillis());
      found.put(',');
      place(stay.latE7(), stay.lonE7());
      found.ascii(",\"points\":").number(stay.points()).put('}');
    }

    @Override
    public void trip(Trip trip) {}
  }

  private final class Trips implements TripSink {
    @Override
    public void stay(Stay stay) {}

    @Override
    public void trip(Trip trip) {
      begin(trip.fromMillis(), trip.toMillis());
      found.ascii(",\"distance\":").decimal(trip.millimetres(), 3);
      found.ascii(",\"moving\":").decimal(trip.movingMillis(), 3);
      found.ascii(",\"idle\":").decimal(trip.idleMillis(), 3);
      found.ascii(",\"points\":").number(trip.points()).ascii(",\"start\":{");
      place(PointE7.latE7(trip.first()), PointE7.lonE7(trip.first()));
      found.ascii("},\"end\":{");
      place(PointE7.latE7(trip.last()), PointE7.lonE7(trip.last()));
      found.ascii("}}");
    }
  }

  @Override
  public void close() {
    walk.close();
  }
}

package gilmok.history;

import gilmok.event.DamagedEvent;
import gilmok.event.EventField;
import gilmok.event.EventKind;
import gilmok.event.EventView;
import gilmok.event.JsonBuffer;
import gilmok.event.ShippedRecordKey;
import gilmok.log.LogReader;
import gilmok.log.Stream;
import java.io.IOException;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The positions of some riders in a part of the log, in the order of riders and then of their
 * places. Where there are more than fit, the part is read again for those behind, so memory has a
 * bound however far the files are behind the log.
 *
 * <p>Not thread-safe: one thread at a time has the question.
 */
final class FreshPoints {
  /** So many are kept at once. */
  static final int KEPT_MAX = 16_384;

  private static final Comparator<Found> IN_ORDER =
      Comparator.comparingInt(Found::rider).thenComparing(found -> found.point.place());

  private final FreshRecords records;
  private final RiderSet riders;
  private final TimeSpan span;
  private final FirstInOrder<Found> first;
  private final EventView view = new EventView();
  private final ShippedRecordKey key = new ShippedRecordKey();
  private final JsonBuffer text = new JsonBuffer();
  private final RepeatedText providers = new RepeatedText();
  private final RepeatedText deliveries = new RepeatedText();
  private int fromRider;
  private @Nullable Place behind;
  private List<Found> found = List.of();
  private boolean isCut;
  private boolean isRead;
  private long digest;

  /** One position of one of the riders. */
  private record Found(int rider, TracePoint point) {}

  /** The first read happens with the first use. */
  FreshPoints(FreshRecords records, RiderSet riders, TimeSpan span, int keptMax) {
    this.records = records;
    this.riders = riders;
    this.span = span;
    first = new FirstInOrder<>(IN_ORDER, keptMax, Long.MAX_VALUE / 4, _ -> 0);
  }

  /**
   * A number that changes when any record of the part does that is about these riders and this
   * span.
   */
  long digest(int rider, @Nullable Place after) throws IOException, InterruptedException {
    if (!isRead) {
      read(rider, after);
    }
    return digest;
  }

  /**
   * Adds a rider's positions behind a place to others.
   *
   * @param rider one of the riders; calls go through them in order
   * @param after null for the rider's first
   * @return the last place of which it is known whether it has one; null for all
   */
  @Nullable Place into(int rider, @Nullable Place after, FirstInOrder<TracePoint> others)
      throws IOException, InterruptedException {
    if (!isRead || (isCut && !isBehind(found.getLast(), rider, after))) {
      read(rider, after);
    }
    for (Found one : found) {
      if (one.rider == rider && isBehind(one, rider, after)) {
        others.add(one.point);
      }
    }
    return isCut && !found.isEmpty() && found.getLast().rider == rider
        ? found.getLast().point.place()
        : null;
  }

  /** Whether one is a later rider's, or that rider's and behind that place. */
  private static boolean isBehind(Found one, int rider, @Nullable Place after) {
    return one.rider > rider
        || (one.rider == rider && (after == null || one.point.place().compareTo(after) > 0));
  }

  /** Reads the part, and keeps the first that are behind a place. */
  private void read(int rider, @Nullable Place after) throws IOException, InterruptedException {
    fromRider = rider;
    behind = after;
    first.clear();
    boolean isFirst = !isRead;
    records.read(reader -> see(reader, isFirst));
    found = List.copyOf(first.all());
    isCut = first.bound() != null;
    isRead = true;
  }

  private void see(LogReader reader, boolean isFirst) {
    int rider = rider(reader.bytes(), reader.offset(), reader.length());
    if (rider < 0) {
      return;
    }
    try {
      view.wrap(reader.bytes(), reader.offset(), reader.length());
    } catch (DamagedEvent damaged) {
      return; // no sink ships it, either
    }
    long at = view.at();
    if (view.kind() != EventKind.POSITION || !span.has(at, reader.receivedAtMillis())) {
      return;
    }
    text.clear();
    key.write(Stream.TRACES.code(), view, reader.offset(), reader.length(), text);
    Place place = Place.of(at, text.bytes(), 0);
    if (isFirst) { // of all passes one sees each record
      digest += 31 * (place.keyHigh() ^ reader.sequence()) + place.keyLow();
    }
    if (rider > fromRider
        || (rider == fromRider && (behind == null || place.compareTo(behind) > 0))) {
      first.add(new Found(rider, point(place)));
    }
  }

  /**
   * The number of the rider whose record it is; -1 for another's. Without looking at the rest: most
   * records of a log are about others.
   */
  private int rider(byte[] bytes, int offset, int length) {
    int at = offset + 3;
    int end = offset + length;
    int size = 0;
    for (int shift = 0; at < end && shift <= 7; shift += 7) {
      byte one = bytes[at++];
      size |= (one & 0x7f) << shift;
      if (one >= 0) {
        return size <= end - at ? riders.find(bytes, at, size) : -1;
      }
    }
    return -1;
  }

  private TracePoint point(Place place) {
    return new TracePoint(
        place,
        view.lat(),
        view.lon(),
        new TracePoint.Measured(
            number(EventField.ACCURACY),
            number(EventField.SPEED),
            number(EventField.BEARING),
            number(EventField.ALTITUDE),
            number(EventField.BATTERY)),
        text(EventField.PROVIDER, providers),
        text(EventField.DELIVERY_ID, deliveries));
  }

  private @Nullable String text(EventField field, RepeatedText before) {
    return view.has(field) ? before.of(view.bytes(), view.offset(field), view.length(field)) : null;
  }

  private double number(EventField field) {
    return view.has(field) ? view.number(field) : Double.NaN;
  }
}

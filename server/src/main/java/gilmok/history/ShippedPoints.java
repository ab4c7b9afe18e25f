package gilmok.history;

import gilmok.log.Stream;
import gilmok.parquet.ParquetType;
import gilmok.parquet.ParquetValues;
import gilmok.shipped.ShippedFiles.RowGroup;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One rider's positions in files. Not thread-safe: one thread at a time has the question.
 *
 * <p>A row of a file that other programs could have written is taken as far as it makes sense: one
 * without a time, a place or a key is none.
 */
final class ShippedPoints implements AutoCloseable {
  private final TimeSpan span;
  private final ParquetValues riderId = new ParquetValues("rider_id", ParquetType.TEXT);
  private final ParquetValues happenedAt = new ParquetValues("happened_at", ParquetType.TIME);
  private final ParquetValues receivedAt = new ParquetValues("received_at", ParquetType.TIME);
  private final ParquetValues key = new ParquetValues("dedup_key", ParquetType.TEXT);
  private final ParquetValues lat = new ParquetValues("lat", ParquetType.DECIMAL);
  private final ParquetValues lon = new ParquetValues("lon", ParquetType.DECIMAL);
  private final ParquetValues accuracy = new ParquetValues("accuracy", ParquetType.DECIMAL);
  private final ParquetValues speed = new ParquetValues("speed", ParquetType.DECIMAL);
  private final ParquetValues bearing = new ParquetValues("bearing", ParquetType.DECIMAL);
  private final ParquetValues altitude = new ParquetValues("altitude", ParquetType.DECIMAL);
  private final ParquetValues battery = new ParquetValues("battery", ParquetType.DECIMAL);
  private final ParquetValues provider = new ParquetValues("provider", ParquetType.TEXT);
  private final ParquetValues deliveryId = new ParquetValues("delivery_id", ParquetType.TEXT);
  private final RepeatedText providers = new RepeatedText();
  private final RepeatedText deliveries = new RepeatedText();
  private final RowGroups rows;

  /** The positions of a rider; what is held for them is given back when this is closed. */
  ShippedPoints(
      @Nullable ShippedStream shipped,
      String rider,
      TimeSpan span,
      QuestionTime time,
      QuestionCounts counts)
      throws IOException {
    this.span = span;
    rows =
        new RowGroups(
            new RowGroups.Wanted(shipped, Stream.TRACES, rider, span),
            time,
            counts,
            riderId,
            happenedAt,
            receivedAt,
            key,
            lat,
            lon,
            accuracy,
            speed,
            bearing,
            altitude,
            battery,
            provider,
            deliveryId);
  }

  /** A number that changes when any of the files does. */
  long digest() {
    return rows.digest();
  }

  /** Adds the positions behind a place to others, as long as they can be among those. */
  void into(@Nullable Place after, FirstInOrder<TracePoint> others)
      throws IOException, InterruptedException {
    rows.pass(groups -> into(groups, after, others));
  }

  private void into(List<RowGroup> groups, @Nullable Place after, FirstInOrder<TracePoint> others)
      throws IOException, InterruptedException {
    for (RowGroup group : groups) {
      TracePoint bound = others.bound();
      if (bound != null && group.minMillis() > bound.atMillis()) {
        return;
      }
      if (after == null || group.maxMillis() >= after.atMillis()) {
        rows.read(group, row -> take(row, after, others));
      }
    }
  }

  private void take(int row, @Nullable Place after, FirstInOrder<TracePoint> others) {
    if (!isWhole(row)) {
      return;
    }
    long at = happenedAt.number(row);
    TracePoint bound = others.bound();
    boolean isWanted = bound == null || at <= bound.atMillis();
    if (!isWanted || !span.has(at, receivedAt.number(row))) {
      return;
    }
    Place place = Place.of(at, key.bytes(), key.offset(row));
    if (after == null || place.compareTo(after) > 0) {
      others.add(point(place, row));
    }
  }

  private boolean isWhole(int row) {
    return happenedAt.has(row)
        && receivedAt.has(row)
        && lat.has(row)
        && lon.has(row)
        && key.has(row)
        && key.length(row) == Place.KEY_CHARS;
  }

  private TracePoint point(Place place, int row) {
    return new TracePoint(
        place,
        lat.decimal(row),
        lon.decimal(row),
        new TracePoint.Measured(
            number(accuracy, row),
            number(speed, row),
            number(bearing, row),
            number(altitude, row),
            number(battery, row)),
        text(provider, row, providers),
        text(deliveryId, row, deliveries));
  }

  private static double number(ParquetValues column, int row) {
    return column.has(row) ? column.decimal(row) : Double.NaN;
  }

  private static @Nullable String text(ParquetValues column, int row, RepeatedText before) {
    return column.has(row)
        ? before.of(column.bytes(), column.offset(row), column.length(row))
        : null;
  }

  @Override
  public void close() {
    rows.close();
  }
}

package gilmok.history;

import gilmok.event.Event;
import gilmok.event.EventField;
import gilmok.event.EventKind;
import gilmok.event.EventView;
import gilmok.event.Events;
import gilmok.event.ShippedRecordKey;
import gilmok.log.AppendBatch;
import gilmok.log.AppendCompletion;
import gilmok.log.AppendResult;
import gilmok.log.Log;
import gilmok.log.LogConfig;
import gilmok.log.LogContext;
import gilmok.log.LogMeter;
import gilmok.log.Stream;
import gilmok.parquet.ParquetColumn;
import gilmok.parquet.ParquetType;
import gilmok.parquet.ParquetWriter;
import gilmok.shipped.FileLeases;
import gilmok.shipped.ShippedFiles;
import gilmok.storage.FileDisk;
import gilmok.storage.FileOutput;
import gilmok.storage.NodeId;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/**
 * A log and files with positions that a test puts there. The files have the columns that history
 * reads. Not thread-safe.
 */
final class PastRig implements AutoCloseable {
  private static final LogConfig SMALL =
      new LogConfig(
          1 << 16, 1 << 14, 200, 8L << 20, Duration.ofDays(1), 10_000, Duration.ofMillis(20));
  private static final NodeId NODE = new NodeId(7);
  private static final FileDisk DISK = new FileDisk();

  final Log log;
  private final Path folder;
  private final FileLeases leases = new FileLeases();
  private final ShippedStream shipped;
  private int files;
  private final Event event = new Event();
  private final Events events = new Events();
  private final EventView view = new EventView();
  private final ShippedRecordKey key = new ShippedRecordKey();
  private long nowMillis;
  private long settled;

  /** A position, as a test knows it. */
  record Point(String rider, long at, long received, double lat, String id) {}

  PastRig(Path folder) throws IOException, InterruptedException {
    this.folder = folder.resolve("shipped");
    ShippedFiles found = new ShippedFiles(this.folder, DISK, leases, 1 << 20);
    shipped = new ShippedStream(found, () -> settled);
    log =
        Log.open(
            SMALL,
            new LogContext(
                DISK,
                () -> Instant.ofEpochMilli(nowMillis),
                new Random(1),
                (stream, bytes, offset, length, out) -> {},
                LogMeter.NONE,
                failure -> {
                  throw new AssertionError(failure);
                }),
            folder,
            NODE);
  }

  /** Puts a position into the log, be it a repeat or not; returns its sequence. */
  long append(Point point) throws InterruptedException {
    nowMillis = point.received;
    AppendBatch batch = new AppendBatch();
    encode(point);
    byte[] bytes = view.bytes();
    batch.add(Stream.TRACES, bytes, 0, length, System.nanoTime(), log.durable());
    AppendResult result = AppendResult.FULL;
    CountDownLatch durable = new CountDownLatch(1);
    while (result != AppendResult.TAKEN) {
      result = log.append(batch, AppendCompletion.of(durable::countDown));
      Thread.onSpinWait();
    }
    durable.await();
    return log.durable();
  }

  private int length;

  private void encode(Point point) {
    events.clear();
    event.clear(EventKind.POSITION);
    text(EventField.RIDER_ID, point.rider);
    text(EventField.ID, point.id);
    event.at(point.at);
    event.number(EventField.LAT, point.lat);
    event.number(EventField.LON, 127);
    if (point.lat > 1) {
      event.number(EventField.SPEED, point.lat / 2);
      text(EventField.PROVIDER, "gps");
    }
    events.add(event, 0);
    length = events.length(0);
    view.wrap(events.bytes(), 0, length);
  }

  private void text(EventField field, String value) {
    byte[] utf8 = value.getBytes(StandardCharsets.UTF_8);
    event.text(field, utf8, 0, utf8.length);
  }

  /** The place of a position. */
  Place place(Point point) {
    encode(point);
    byte[] hex =
        key.text(Stream.TRACES.code(), view, 0, length).getBytes(StandardCharsets.US_ASCII);
    return Place.of(point.at, hex, 0);
  }

  /** Writes a file of these positions, in row groups of so many. */
  void file(List<Point> points, int groupRows) throws IOException {
    ParquetColumn rider = new ParquetColumn("rider_id", ParquetType.TEXT, true);
    ParquetColumn at = new ParquetColumn("happened_at", ParquetType.TIME, true);
    ParquetColumn receivedAt = new ParquetColumn("received_at", ParquetType.TIME, true);
    ParquetColumn dedup = new ParquetColumn("dedup_key", ParquetType.TEXT, true);
    ParquetColumn lat = new ParquetColumn("lat", ParquetType.DECIMAL, false);
    ParquetColumn lon = new ParquetColumn("lon", ParquetType.DECIMAL, false);
    ParquetColumn speed = new ParquetColumn("speed", ParquetType.DECIMAL, false);
    ParquetColumn provider = new ParquetColumn("provider", ParquetType.TEXT, false);
    Instant received = Instant.ofEpochMilli(points.getFirst().received);
    String hour =
        String.format(Locale.ROOT, "hour=%02d", received.atOffset(ZoneOffset.UTC).getHour());
    Path path =
        folder
            .resolve("stream=traces")
            .resolve("date=" + received.atOffset(ZoneOffset.UTC).toLocalDate())
            .resolve(hour)
            .resolve(String.format(Locale.ROOT, "%s-%020d-%020d.parquet", NODE, ++files, files));
    DISK.createFolder(path.resolveSibling(""));
    try (FileOutput out = new FileOutput(DISK.create(path), ByteBuffer.allocate(1 << 16));
        ParquetWriter writer =
            new ParquetWriter(
                out,
                List.of(rider, at, receivedAt, dedup, lat, lon, speed, provider),
                groupRows,
                1 + groupRows / 3)) {
      for (Point point : points) {
        text(rider, point.rider);
        at.number(point.at);
        receivedAt.number(point.received);
        encode(point);
        text(dedup, key.text(Stream.TRACES.code(), view, 0, length));
        lat.decimal(point.lat);
        lon.decimal(127);
        if (point.lat > 1) {
          speed.decimal(point.lat / 2);
          text(provider, "gps");
        }
        writer.endRow();
      }
      writer.finish();
    }
  }

  private static void text(ParquetColumn column, String value) {
    byte[] utf8 = value.getBytes(StandardCharsets.UTF_8);
    column.text(utf8, 0, utf8.length);
  }

  /** All up to this sequence is in files. */
  void settled(long sequence) {
    settled = sequence;
  }

  /** How many leases were not given back. */
  int leases() {
    return leases.size();
  }

  /** A rider's positions behind a place, read by passes of so many. */
  List<TracePoint> read(
      List<String> riders, int rider, TimeSpan span, @Nullable Place after, int passMax)
      throws IOException, InterruptedException {
    Duration minute = Duration.ofMinutes(1);
    QuestionTime time = new QuestionTime(minute, minute, () -> false, () -> {});
    time.begin();
    QuestionCounts counts = new QuestionCounts();
    FreshRecords records =
        new FreshRecords(log, Stream.TRACES, span, settled, Long.MAX_VALUE / 2, time, counts);
    FreshPoints fresh = new FreshPoints(records, new RiderSet(riders), span, passMax);
    String id = riders.get(rider);
    List<TracePoint> all = new ArrayList<>();
    try (RiderPoints points =
        new RiderPoints(
            fresh, rider, new ShippedPoints(shipped, id, span, time, counts), after, passMax)) {
      for (TracePoint one = points.next(); one != null; one = points.next()) {
        all.add(one);
      }
    }
    return all;
  }

  @Override
  public void close() throws IOException {
    log.close();
  }
}

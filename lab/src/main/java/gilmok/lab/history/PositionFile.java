package gilmok.lab.history;

import gilmok.parquet.ParquetColumn;
import gilmok.parquet.ParquetType;
import gilmok.parquet.ParquetWriter;
import gilmok.storage.Disk;
import gilmok.storage.FileOutput;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/**
 * A Parquet file of positions as the sink {@code files} publishes it, or as its compaction writes
 * it. Not thread-safe.
 */
final class PositionFile implements AutoCloseable {
  private static final byte[] HEX = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] PROVIDER = {'g', 'p', 's'};
  private static final int KEY_CHARS = 32;

  /** As the compaction has them. */
  private static final int GROUP_ROWS_MAX = 8192;

  private static final int PAGE_ROWS_MAX = 1024;

  private final byte[] record;
  private final int recordHead;
  private final byte[] key = new byte[KEY_CHARS];
  private final byte[] delivery = "d-00000000".getBytes(StandardCharsets.US_ASCII);
  private final ParquetColumn recordId = required("record_id", ParquetType.TEXT);
  private final ParquetColumn sequence = required("sequence", ParquetType.NUMBER);
  private final ParquetColumn dedupKey = required("dedup_key", ParquetType.TEXT);
  private final ParquetColumn receivedAt = required("received_at", ParquetType.TIME);
  private final ParquetColumn riderId = optional("rider_id", ParquetType.TEXT);
  private final ParquetColumn happenedAt = optional("happened_at", ParquetType.TIME);
  private final ParquetColumn lat = optional("lat", ParquetType.DECIMAL);
  private final ParquetColumn lon = optional("lon", ParquetType.DECIMAL);
  private final ParquetColumn accuracy = optional("accuracy", ParquetType.DECIMAL);
  private final ParquetColumn speed = optional("speed", ParquetType.DECIMAL);
  private final ParquetColumn bearing = optional("bearing", ParquetType.DECIMAL);
  private final ParquetColumn altitude = optional("altitude", ParquetType.DECIMAL);
  private final ParquetColumn battery = optional("battery", ParquetType.DECIMAL);
  private final ParquetColumn provider = optional("provider", ParquetType.TEXT);
  private final ParquetColumn deliveryId = optional("delivery_id", ParquetType.TEXT);
  private final ParquetColumn id = optional("id", ParquetType.TEXT);
  private final ParquetColumn attributes = optional("attributes", ParquetType.TEXT);
  private final ParquetColumn clockAhead = required("clock_ahead", ParquetType.FLAG);
  private final FileOutput out;
  private final ParquetWriter file;

  /** A new file, of records of a node. */
  PositionFile(Disk disk, Path path, String node, boolean isCompacted, ByteBuffer buffer)
      throws IOException {
    record = (node + ":00000000000000000000").getBytes(StandardCharsets.US_ASCII);
    recordHead = node.length() + 1;
    riderId.boundTexts();
    List<ParquetColumn> columns =
        List.of(
            recordId,
            sequence,
            dedupKey,
            receivedAt,
            riderId,
            happenedAt,
            lat,
            lon,
            accuracy,
            speed,
            bearing,
            altitude,
            battery,
            provider,
            deliveryId,
            id,
            attributes,
            clockAhead);
    out = new FileOutput(disk.create(path), buffer);
    file =
        isCompacted
            ? new ParquetWriter(out, columns, GROUP_ROWS_MAX, PAGE_ROWS_MAX)
            : new ParquetWriter(out, columns);
  }

  private static ParquetColumn required(String name, ParquetType type) {
    return new ParquetColumn(name, type, true);
  }

  private static ParquetColumn optional(String name, ParquetType type) {
    return new ParquetColumn(name, type, false);
  }

  /** Writes a position of a rider. */
  void write(byte[] rider, PositionRow row) throws IOException {
    int length = digits(row.sequence);
    recordId.text(record, 0, recordHead + length);
    sequence.number(row.sequence);
    hex(row.keyHigh, 0);
    hex(row.keyLow, KEY_CHARS / 2);
    dedupKey.text(key, 0, KEY_CHARS);
    receivedAt.number(row.receivedAt);
    riderId.text(rider, 0, rider.length);
    happenedAt.number(row.happenedAt);
    lat.decimal(row.latE7 / 1e7);
    lon.decimal(row.lonE7 / 1e7);
    accuracy.decimal(row.accuracyTenths / 10.0);
    speed.decimal(row.speedTenths / 10.0);
    bearing.decimal(row.bearing);
    altitude.decimal(row.altitudeTenths / 10.0);
    battery.decimal(row.batteryHundredths / 100.0);
    provider.text(PROVIDER, 0, PROVIDER.length);
    if (row.delivery >= 0) {
      long left = row.delivery;
      for (int i = delivery.length - 1; i >= 2; i--) {
        delivery[i] = (byte) ('0' + left % 10);
        left /= 10;
      }
      deliveryId.text(delivery, 0, delivery.length);
    }
    clockAhead.flag(false);
    file.endRow();
  }

  /** Puts a sequence into the record's id; returns how many digits it has. */
  private int digits(long number) {
    int count = 1;
    for (long left = number / 10; left > 0; left /= 10) {
      count++;
    }
    long left = number;
    for (int i = recordHead + count - 1; i >= recordHead; i--) {
      record[i] = (byte) ('0' + left % 10);
      left /= 10;
    }
    return count;
  }

  private void hex(long half, int at) {
    for (int i = 0; i < KEY_CHARS / 2; i++) {
      key[at + i] = HEX[(int) (half >>> (60 - 4 * i)) & 0xf];
    }
  }

  long rows() {
    return file.rows();
  }

  /** Ends the file; it is not forced, as it can be made again. */
  long finish() throws IOException {
    file.finish();
    return out.position();
  }

  @Override
  public void close() throws IOException {
    file.close();
    out.close();
  }
}

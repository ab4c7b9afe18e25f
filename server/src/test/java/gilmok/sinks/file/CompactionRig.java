package gilmok.sinks.file;

import gilmok.config.Settings;
import gilmok.log.Stream;
import gilmok.observe.Meters;
import gilmok.parquet.ParquetReader;
import gilmok.parquet.ParquetType;
import gilmok.parquet.ParquetValues;
import gilmok.shipped.FileLeases;
import gilmok.shipped.ShippedFiles;
import gilmok.shipped.ShippedFiles.RowGroup;
import gilmok.storage.Disk;
import gilmok.storage.FileDisk;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The compaction of a {@link FilesRig}'s folder, with its clock, and our reading of its files. */
final class CompactionRig {
  final FilesRig files;
  final FileLeases leases = new FileLeases();
  final Meters meters = new Meters();
  long settled = Long.MAX_VALUE;
  private final FileCompaction compaction;

  CompactionRig(Path folder, Disk disk) {
    files = new FilesRig(folder, "parquet");
    Map<String, String> settings =
        Map.of("sinks.files.folder", folder.toString(), "sinks.files.format", "parquet");
    compaction =
        new FileCompaction(
            FilesConfig.from(new Settings(settings), "files"),
            folder,
            Records.NODE,
            disk,
            () -> Instant.ofEpochMilli(files.nowMillis),
            leases,
            new java.util.concurrent.locks.ReentrantLock(),
            () -> settled,
            new CompactionMeters(meters, "files"),
            () -> {});
  }

  /** Passes until nothing is due. */
  void compact() throws IOException, InterruptedException {
    while (compaction.pass() == 0) {
      // The next hour.
    }
  }

  /** Lets the time pass, and compacts what is due then. */
  void compactAfter(long millis) throws IOException, InterruptedException {
    files.nowMillis += millis;
    compact();
  }

  ShippedFiles shipped() {
    return new ShippedFiles(files.folder, new FileDisk(), leases, 1 << 20);
  }

  /** The record ids of a rider, in the order of the row groups; with repeats. */
  static List<String> ids(
      ShippedFiles shipped, Stream stream, @Nullable String rider, long from, long to)
      throws IOException {
    List<String> ids = new ArrayList<>();
    try (ShippedFiles.Lease lease = shipped.lease(stream, rider, from, to, 7 * 86_400_000L)) {
      for (RowGroup group : lease.groups()) {
        try (ParquetReader reader = lease.open(group)) {
          ParquetValues id = new ParquetValues("record_id", ParquetType.TEXT);
          ParquetValues of = new ParquetValues("rider_id", ParquetType.TEXT);
          ParquetValues at = new ParquetValues(ShippedFiles.timeColumn(stream), ParquetType.TIME);
          reader.begin(group.index(), id, of, at);
          while (reader.nextPage()) {
            for (int i = 0; i < id.rows(); i++) {
              boolean isRiders = rider == null || rider.equals(text(of, i));
              if (isRiders && at.number(i) >= from && at.number(i) < to) {
                ids.add(text(id, i));
              }
            }
          }
        }
      }
    }
    return ids;
  }

  private static String text(ParquetValues values, int i) {
    return new String(values.bytes(), values.offset(i), values.length(i), StandardCharsets.UTF_8);
  }
}

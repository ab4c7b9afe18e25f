package gilmok.shipped;

import gilmok.log.Stream;
import gilmok.parquet.ParquetFooter;
import gilmok.parquet.ParquetReader;
import gilmok.storage.Disk;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds the row groups of a sink's Parquet files that can have records of a rider and a time: by
 * the dates of the folders, by the names of the files, and by the bounds in their footers. The
 * files of all nodes that write to the folder are found.
 *
 * <p>Read the sequence up to which the sink has shipped everything <em>before</em> a lease is
 * taken: all records up to it are then in the files that the lease finds. Thread-safe.
 */
public final class ShippedFiles {
  /** The most files whose footers are read for one lease. */
  static final int FILES_MAX = 100_000;

  /** A phone's clock may be ahead of ours by this; and the folders may be of any zone. */
  private static final Duration AHEAD_MAX = Duration.ofDays(1);

  private static final Duration ZONES = Duration.ofDays(1);
  private static final Instant YEAR_ZERO = Instant.parse("0000-01-03T00:00:00Z");
  private static final Instant YEAR_9999 = Instant.parse("9999-12-20T00:00:00Z");

  private final Path folder;
  private final Disk disk;
  private final FileLeases leases;
  private final FooterCache footers;

  /**
   * The files in a sink's folder.
   *
   * @param leases also those of whoever deletes from the folder
   * @param footerBytesMax how much memory footers may take that are kept for the next lease
   */
  public ShippedFiles(Path folder, Disk disk, FileLeases leases, long footerBytesMax) {
    this.folder = folder;
    this.disk = disk;
    this.leases = leases;
    footers = new FooterCache(disk, footerBytesMax);
  }

  /**
   * Row groups of which nothing is deleted by this node before the lease is closed.
   *
   * <p>Not thread-safe.
   */
  public final class Lease implements AutoCloseable {
    private final long number = leases.begin();
    private List<RowGroup> groups = List.of();
    private boolean isClosed;

    private Lease() {}

    /** The row groups, by their least time. */
    public List<RowGroup> groups() {
      return groups;
    }

    /**
     * Opens the file of a row group; the caller closes it.
     *
     * @throws NoSuchFileException when the retention, or another node, has deleted the file
     */
    public ParquetReader open(RowGroup group) throws IOException {
      if (isClosed) {
        throw new IllegalStateException("the lease has ended");
      }
      return ParquetReader.open(disk, group.file(), footers.footer(group.file()));
    }

    @Override
    public void close() {
      if (!isClosed) {
        isClosed = true;
        leases.end(number);
      }
    }
  }

  /**
   * A row group.
   *
   * @param index its number in the file, for {@link ParquetReader#begin}
   * @param minMillis no row has an earlier time; the time is {@code happened_at} or, of streams
   *     that do not have it, {@code received_at}
   * @param maxMillis no row has a later one
   */
  public record RowGroup(Path file, int index, int rows, long minMillis, long maxMillis) {}

  /**
   * Takes a lease on the row groups that may have records of a time.
   *
   * @param rider of this rider alone; null: of all
   * @param fromMillis from this time on, epoch ms
   * @param toMillis until before this time
   * @param lateMaxMillis records that came in later than this after the end are not looked for
   */
  public Lease lease(
      Stream stream, @Nullable String rider, long fromMillis, long toMillis, long lateMaxMillis)
      throws IOException {
    byte[] riderId = rider == null ? null : rider.getBytes(StandardCharsets.UTF_8);
    Query query = new Query(stream, riderId, fromMillis, toMillis);
    Lease lease = new Lease();
    try {
      for (Path date : dates(stream, fromMillis, toMillis, lateMaxMillis)) {
        for (Path hour : list(date)) {
          for (Path file : list(hour)) {
            query.look(file);
          }
        }
      }
      query.found.sort(
          Comparator.comparingLong(RowGroup::minMillis)
              .thenComparing(RowGroup::file)
              .thenComparingInt(RowGroup::index));
      lease.groups = List.copyOf(query.found);
      return lease;
    } catch (IOException | RuntimeException | Error failed) {
      lease.close();
      throw failed;
    }
  }

  /** Whether the stream's records have a rider and the time at which they happened. */
  public static boolean hasRiders(Stream stream) {
    return switch (stream) {
      case TRACES, ACTIONS, LOGS -> true;
      case DELIVERIES, QUARANTINE, AUDIT -> false;
    };
  }

  /** The name of the column by whose time records are found. */
  public static String timeColumn(Stream stream) {
    return hasRiders(stream) ? "happened_at" : "received_at";
  }

  /** The bytes of the footers that are kept, for a metric. */
  public long footerBytes() {
    return footers.bytes();
  }

  /** The bound of {@link #footerBytes}. */
  public long footerBytesMax() {
    return footers.bytesMax();
  }

  /** How many footers were read from files so far, for a metric. */
  public long footersRead() {
    return footers.read();
  }

  /** The path of a file in the folder, as a person looks for it there. */
  public String place(Path file) {
    return file.startsWith(folder) ? folder.relativize(file).toString() : file.toString();
  }

  private List<Path> dates(Stream stream, long fromMillis, long toMillis, long lateMaxMillis)
      throws IOException {
    String first = "date=" + date(fromMillis, AHEAD_MAX.plus(ZONES).negated());
    String last = "date=" + date(toMillis, Duration.ofMillis(lateMaxMillis).plus(ZONES));
    return list(folder.resolve("stream=" + stream.label())).stream()
        .filter(date -> name(date).compareTo(first) >= 0 && name(date).compareTo(last) <= 0)
        .toList();
  }

  private static String date(long millis, Duration away) {
    Instant at = Instant.ofEpochMilli(millis);
    if (at.isBefore(YEAR_ZERO.plus(away.abs()))) {
      at = YEAR_ZERO.plus(away.abs());
    } else if (at.isAfter(YEAR_9999.minus(away.abs()))) {
      at = YEAR_9999.minus(away.abs());
    }
    return at.plus(away).atOffset(ZoneOffset.UTC).toLocalDate().toString();
  }

  /** The contents of a folder; empty when it is gone, or is no folder. */
  private static List<Path> list(Path folder) throws IOException {
    try (var paths = Files.list(folder)) {
      return paths.toList();
    } catch (NoSuchFileException | NotDirectoryException none) {
      return List.of();
    } catch (UncheckedIOException cannot) {
      throw cannot.getCause();
    }
  }

  private static String name(Path path) {
    return String.valueOf(path.getFileName());
  }

  /** Collects the row groups of a lease. */
  private final class Query {
    private final byte @Nullable [] riderId;
    private final String timeColumn;
    private final long fromMillis;
    private final long toMillis;
    private final List<RowGroup> found = new ArrayList<>();
    private int files;

    Query(Stream stream, byte @Nullable [] riderId, long fromMillis, long toMillis) {
      this.riderId = riderId;
      this.timeColumn = timeColumn(stream);
      this.fromMillis = fromMillis;
      this.toMillis = toMillis;
    }

    void look(Path file) throws IOException {
      ShippedName name = ShippedName.parse(name(file));
      if (name == null || (riderId != null && !name.mayHave(riderId))) {
        return;
      }
      if (++files > FILES_MAX) {
        throw new IOException(
            "more than " + FILES_MAX + " files may have it; are they compacted? In " + folder);
      }
      try {
        add(file, footers.footer(file));
      } catch (NoSuchFileException deleted) {
        // By the retention, or compacted by another node, whose new files are there since then.
      }
    }

    private void add(Path file, ParquetFooter footer) {
      int rider = footer.column("rider_id");
      int time = footer.column(timeColumn);
      for (int group = 0; group < footer.groups(); group++) {
        boolean mayBeRiders = riderId == null || rider < 0 || footer.mayHave(group, rider, riderId);
        boolean isTimed = time >= 0 && footer.hasBounds(group, time);
        long min = isTimed ? footer.min(group, time) : Long.MIN_VALUE;
        long max = isTimed ? footer.max(group, time) : Long.MAX_VALUE;
        if (mayBeRiders && min < toMillis && max >= fromMillis) {
          found.add(new RowGroup(file, group, footer.rows(group), min, max));
        }
      }
    }
  }
}

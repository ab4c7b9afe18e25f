package gilmok.history;

import gilmok.log.Stream;
import gilmok.parquet.DamagedParquetException;
import gilmok.parquet.ParquetReader;
import gilmok.parquet.ParquetValues;
import gilmok.shipped.ShippedFiles;
import gilmok.shipped.ShippedFiles.RowGroup;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The row groups of files that can have what a question is about, and their rows, page by page. The
 * file that was read last stays open, as its next group often comes next. Not thread-safe: one
 * thread at a time has the question.
 */
final class RowGroups implements AutoCloseable {
  /** So often files may vanish, as other nodes put theirs together, before a pass gives up. */
  private static final int RENEWALS_MAX = 10;

  private final @Nullable ShippedStream shipped;
  private final Stream stream;
  private final @Nullable String rider;
  private final byte @Nullable [] riderId;
  private final TimeSpan span;
  private final QuestionTime time;
  private final QuestionCounts counts;
  private final ParquetValues[] values;
  private ShippedFiles.@Nullable Lease lease;
  private @Nullable ParquetReader reader;
  private @Nullable RowGroup last;

  /** What is read of what. */
  record Wanted(
      @Nullable ShippedStream shipped, Stream stream, @Nullable String rider, TimeSpan span) {}

  /**
   * Finds the row groups.
   *
   * @param values the columns that are read; the first is the rider's id
   */
  RowGroups(Wanted wanted, QuestionTime time, QuestionCounts counts, ParquetValues... values)
      throws IOException {
    shipped = wanted.shipped;
    stream = wanted.stream;
    rider = wanted.rider;
    riderId = wanted.rider == null ? null : wanted.rider.getBytes(StandardCharsets.UTF_8);
    span = wanted.span;
    this.time = time;
    this.counts = counts;
    this.values = values;
    lease();
  }

  private void lease() throws IOException {
    ShippedStream from = shipped;
    try {
      lease =
          from == null
              ? null
              : from.files()
                  .lease(stream, rider, span.fromMillis(), span.untilMillis(), span.lateMillis());
    } catch (DamagedParquetException damaged) {
      throw named(damaged);
    }
  }

  private IOException named(DamagedParquetException damaged) {
    ShippedStream from = shipped;
    Path file = damaged.file();
    return from == null || file == null
        ? damaged
        : new DamagedFile(from.files().place(file), damaged);
  }

  /** A part of a question, which is done again if a file has vanished. */
  @FunctionalInterface
  interface Pass {
    /** Reads what it needs of the groups. */
    void run(List<RowGroup> groups) throws IOException, InterruptedException;
  }

  /**
   * Runs a pass over the groups, by their least time. If a file vanishes meanwhile, as another node
   * has put its files together, the files are found anew, and the pass is run again.
   */
  void pass(Pass pass) throws IOException, InterruptedException {
    for (int renewals = 0; ; renewals++) {
      ShippedFiles.Lease held = lease;
      try {
        pass.run(held == null ? List.of() : held.groups());
        return;
      } catch (NoSuchFileException vanished) {
        if (renewals == RENEWALS_MAX) {
          throw vanished;
        }
        close();
        lease();
      }
    }
  }

  /** Takes what is in a row. */
  @FunctionalInterface
  interface Taker {
    /** The row of the values. */
    void take(int row);
  }

  /** Reads the rider's rows of a group, or all of them; pages without any are left out. */
  void read(RowGroup group, Taker taker) throws IOException, InterruptedException {
    try {
      readSound(group, taker);
    } catch (DamagedParquetException damaged) {
      throw named(damaged);
    }
  }

  private void readSound(RowGroup group, Taker taker) throws IOException, InterruptedException {
    ParquetReader from = open(group);
    from.begin(group.index(), values);
    time.check();
    while (from.nextPage(this::hasTheirs)) {
      int rows = values[0].rows();
      for (int row = 0; row < rows; row++) {
        if (isTheirs(values[0], row)) {
          taker.take(row);
        }
      }
      counts.read(rows);
      time.check();
    }
  }

  private boolean hasTheirs(ParquetValues riders) {
    for (int row = 0; row < riders.rows(); row++) {
      if (isTheirs(riders, row)) {
        return true;
      }
    }
    return false;
  }

  private boolean isTheirs(ParquetValues riders, int row) {
    byte[] wanted = riderId;
    if (wanted == null) {
      return true;
    }
    int start = riders.offset(row);
    int length = wanted.length;
    return riders.has(row)
        && riders.length(row) == length
        && Arrays.equals(riders.bytes(), start, start + length, wanted, 0, length);
  }

  private ParquetReader open(RowGroup group) throws IOException {
    ParquetReader open = reader;
    RowGroup before = last;
    if (open != null && before != null && before.file().equals(group.file())) {
      return open;
    }
    ShippedFiles.Lease held = lease;
    if (held == null) {
      throw new IllegalStateException("there are no files");
    }
    closeReader();
    ParquetReader opened = held.open(group);
    reader = opened;
    last = group;
    return opened;
  }

  /** A number that changes when any of the groups does. */
  long digest() {
    ShippedFiles.Lease held = lease;
    return held == null
        ? 0
        : held.groups().stream()
            .mapToLong(group -> 31L * group.file().toString().hashCode() + group.index())
            .sum();
  }

  private void closeReader() throws IOException {
    ParquetReader open = reader;
    reader = null;
    last = null;
    if (open != null) {
      open.close();
    }
  }

  @Override
  public void close() {
    ShippedFiles.Lease held = lease;
    lease = null;
    try {
      closeReader();
    } catch (IOException cannot) {
      throw new UncheckedIOException(cannot);
    } finally {
      if (held != null) {
        held.close();
      }
    }
  }
}

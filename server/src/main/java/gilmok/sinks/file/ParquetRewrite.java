package gilmok.sinks.file;

import gilmok.parquet.ParquetColumn;
import gilmok.parquet.ParquetFooter.Column;
import gilmok.parquet.ParquetReader;
import gilmok.parquet.ParquetType;
import gilmok.parquet.ParquetValues;
import gilmok.parquet.ParquetWriter;
import gilmok.storage.Disk;
import gilmok.storage.FileOutput;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes a Parquet file anew without some of its rows, or with other texts in them. The rows keep
 * their order; bounds and sizes in the footer are those of what is left.
 *
 * <p>Not thread-safe.
 */
final class ParquetRewrite {
  /** As in compacted files: a reader who wants one rider decompresses little. */
  private static final int GROUP_ROWS_MAX = 8192;

  private static final int PAGE_ROWS_MAX = 1024;
  private static final String RIDER = "rider_id";

  private final Disk disk;
  private final ByteBuffer buffer;
  private final RowRewrite rewrite;
  private final HourCompaction.Pace pace;
  private long rowsGone;
  private long rowsChanged;
  private long rowsLeft;

  ParquetRewrite(Disk disk, ByteBuffer buffer, RowRewrite rewrite, HourCompaction.Pace pace) {
    this.disk = disk;
    this.buffer = buffer;
    this.rewrite = rewrite;
    this.pace = pace;
  }

  /** Rows that {@link #write} has left out. */
  long rowsGone() {
    return rowsGone;
  }

  /** Rows that it has written with other texts. */
  long rowsChanged() {
    return rowsChanged;
  }

  /** Rows that it has written, changed or not. */
  long rowsLeft() {
    return rowsLeft;
  }

  /** Whether anything in a file changes. Reads only the columns that can. */
  boolean changes(Path path) throws IOException, InterruptedException {
    try (ParquetReader reader = ParquetReader.open(disk, path)) {
      ParquetValues[] seen =
          reader.footer().columns().stream()
              .filter(column -> rewrite.sees(column.name()))
              .map(column -> new ParquetValues(column.name(), column.type()))
              .toArray(ParquetValues[]::new);
      for (int group = 0; group < reader.footer().groups() && seen.length > 0; group++) {
        reader.begin(group, seen);
        while (reader.nextPage()) {
          for (int row = 0; row < seen[0].rows(); row++) {
            for (ParquetValues values : seen) {
              if (left(values, row) != null) {
                return true;
              }
            }
          }
          pace.rest();
        }
      }
    }
    return false;
  }

  private byte @Nullable [] left(ParquetValues values, int row) {
    return values.has(row) && values.type() == ParquetType.TEXT
        ? rewrite.left(values.column(), values.bytes(), values.offset(row), values.length(row))
        : null;
  }

  /** Writes what is left of a file; complete and forced on return. */
  void write(Path path, Path target) throws IOException, InterruptedException {
    try (ParquetReader reader = ParquetReader.open(disk, path)) {
      List<Column> columns = reader.footer().columns();
      List<ParquetColumn> targets = new ArrayList<>();
      ParquetValues[] values = new ParquetValues[columns.size()];
      for (int i = 0; i < values.length; i++) {
        Column column = columns.get(i);
        values[i] = new ParquetValues(column.name(), column.type());
        targets.add(new ParquetColumn(column.name(), column.type(), column.isRequired()));
        if (column.name().equals(RIDER)) {
          targets.getLast().boundTexts();
        }
      }
      try (FileOutput out = new FileOutput(disk.create(target), buffer);
          ParquetWriter file = new ParquetWriter(out, targets, GROUP_ROWS_MAX, PAGE_ROWS_MAX)) {
        for (int group = 0; group < reader.footer().groups(); group++) {
          reader.begin(group, values);
          while (reader.nextPage()) {
            for (int row = 0; row < values[0].rows(); row++) {
              put(values, row, targets, file);
            }
            pace.rest();
          }
        }
        file.finish();
        out.force();
        rowsLeft += file.rows();
      }
    }
  }

  private void put(ParquetValues[] values, int row, List<ParquetColumn> targets, ParquetWriter file)
      throws IOException {
    byte[][] other = new byte[values.length][];
    boolean isChanged = false;
    for (int i = 0; i < values.length; i++) {
      byte[] left = rewrite.sees(values[i].column()) ? left(values[i], row) : null;
      if (left != null && left.length == 0) {
        rowsGone++;
        return;
      }
      isChanged |= left != null;
      other[i] = left;
    }
    rowsChanged += isChanged ? 1 : 0;
    for (int i = 0; i < values.length; i++) {
      if (values[i].has(row)) {
        set(values[i], row, other[i], targets.get(i));
      }
    }
    file.endRow();
  }

  private static void set(
      ParquetValues values, int row, byte @Nullable [] other, ParquetColumn target) {
    switch (values.type()) {
      case TEXT -> {
        if (other != null) {
          target.text(other, 0, other.length);
        } else {
          target.text(values.bytes(), values.offset(row), values.length(row));
        }
      }
      case NUMBER, TIME -> target.number(values.number(row));
      case DECIMAL -> target.decimal(values.decimal(row));
      case FLAG -> target.flag(values.flag(row));
    }
  }
}

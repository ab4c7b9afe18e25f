package gilmok.parquet;

import gilmok.storage.Disk;
import gilmok.storage.FileDisk;
import gilmok.storage.FileOutput;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Made-up rows, as lists of values: written with the writer, and read with the reader. */
final class Rows {
  /** A column of each type, required and not. */
  static final List<ParquetFooter.Column> COLUMNS = columns();

  private Rows() {}

  private static List<ParquetFooter.Column> columns() {
    List<ParquetFooter.Column> columns = new ArrayList<>();
    for (ParquetType type : ParquetType.values()) {
      columns.add(new ParquetFooter.Column("some_" + type, type, false));
      columns.add(new ParquetFooter.Column("every_" + type, type, true));
    }
    return columns;
  }

  /** Random rows; values of optional columns are missing alone, in runs, or not at all. */
  static List<List<@Nullable Object>> random(SplittableRandom random, int count) {
    List<List<@Nullable Object>> rows = new ArrayList<>();
    int[] runs = new int[COLUMNS.size()];
    boolean[] missing = new boolean[COLUMNS.size()];
    for (int i = 0; i < count; i++) {
      List<@Nullable Object> row = new ArrayList<>();
      for (int c = 0; c < COLUMNS.size(); c++) {
        if (runs[c]-- == 0) {
          runs[c] = random.nextInt(4) == 0 ? random.nextInt(30_000) : random.nextInt(3);
          missing[c] = random.nextBoolean();
        }
        ParquetFooter.Column column = COLUMNS.get(c);
        row.add(missing[c] && !column.isRequired() ? null : value(random, column.type()));
      }
      rows.add(row);
    }
    return rows;
  }

  private static Object value(SplittableRandom random, ParquetType type) {
    return switch (type) {
      case TEXT -> "길".repeat(random.nextInt(3)) + random.nextInt(1000);
      case NUMBER -> random.nextInt(9) == 0 ? random.nextLong() : (Object) (long) random.nextInt();
      case TIME -> random.nextLong(1L << 42);
      case DECIMAL -> random.nextInt(9) == 0 ? -0.0 : (Object) random.nextDouble();
      case FLAG -> random.nextBoolean();
    };
  }

  static void write(Path file, List<List<@Nullable Object>> rows, int groupRowsMax)
      throws IOException {
    List<ParquetColumn> columns = new ArrayList<>();
    for (ParquetFooter.Column column : COLUMNS) {
      ParquetColumn made = new ParquetColumn(column.name(), column.type(), column.isRequired());
      if (column.type() == ParquetType.TEXT) {
        made.boundTexts();
      }
      columns.add(made);
    }
    write(file, columns, rows, groupRowsMax);
  }

  static void write(
      Path file, List<ParquetColumn> columns, List<List<@Nullable Object>> rows, int groupRowsMax)
      throws IOException {
    try (FileOutput out = new FileOutput(new FileDisk().create(file), ByteBuffer.allocate(4096));
        ParquetWriter writer =
            new ParquetWriter(out, columns, groupRowsMax, 1 + groupRowsMax / 3)) {
      for (List<@Nullable Object> row : rows) {
        for (int c = 0; c < columns.size(); c++) {
          set(columns.get(c), row.get(c));
        }
        writer.endRow();
      }
      writer.finish();
    }
  }

  private static void set(ParquetColumn column, @Nullable Object value) {
    switch (value) {
      case null -> {
        // It is missing.
      }
      case Long number -> column.number(number);
      case Double decimal -> column.decimal(decimal);
      case Boolean flag -> column.flag(flag);
      default -> {
        byte[] utf8 = value.toString().getBytes(StandardCharsets.UTF_8);
        column.text(utf8, 0, utf8.length);
      }
    }
  }

  /** All rows of all columns of a file. */
  static List<List<@Nullable Object>> read(Path file) throws IOException {
    return read(new FileDisk(), file);
  }

  static List<List<@Nullable Object>> read(Disk disk, Path file) throws IOException {
    List<List<@Nullable Object>> rows = new ArrayList<>();
    pages(disk, file, _ -> true).forEach(rows::addAll);
    return rows;
  }

  /** The rows of the pages that are wanted, page by page. */
  static List<List<List<@Nullable Object>>> pages(Path file, Predicate<ParquetValues> isWanted)
      throws IOException {
    return pages(new FileDisk(), file, isWanted);
  }

  private static List<List<List<@Nullable Object>>> pages(
      Disk disk, Path file, Predicate<ParquetValues> isWanted) throws IOException {
    try (ParquetReader reader = ParquetReader.open(disk, file)) {
      List<List<List<@Nullable Object>>> pages = new ArrayList<>();
      ParquetValues[] values =
          reader.footer().columns().stream()
              .map(column -> new ParquetValues(column.name(), column.type()))
              .toArray(ParquetValues[]::new);
      for (int group = 0; group < reader.footer().groups(); group++) {
        reader.begin(group, values);
        while (reader.nextPage(isWanted)) {
          pages.add(rows(values));
        }
      }
      return pages;
    }
  }

  private static List<List<@Nullable Object>> rows(ParquetValues[] values) {
    List<List<@Nullable Object>> rows = new ArrayList<>();
    for (int i = 0; i < values[0].rows(); i++) {
      List<@Nullable Object> row = new ArrayList<>();
      for (ParquetValues one : values) {
        row.add(one.has(i) ? value(one, i) : null);
      }
      rows.add(row);
    }
    return rows;
  }

  private static Object value(ParquetValues values, int i) {
    return switch (values.type()) {
      case TEXT ->
          new String(values.bytes(), values.offset(i), values.length(i), StandardCharsets.UTF_8);
      case NUMBER, TIME -> values.number(i);
      case DECIMAL -> values.decimal(i);
      case FLAG -> values.flag(i);
    };
  }
}

package gilmok.sinks.file;

import gilmok.parquet.ParquetColumn;
import gilmok.parquet.ParquetFooter;
import gilmok.parquet.ParquetFooter.Column;
import gilmok.parquet.ParquetReader;
import gilmok.parquet.ParquetType;
import gilmok.parquet.ParquetValues;
import gilmok.parquet.ParquetWriter;
import gilmok.shipped.RiderHash;
import gilmok.shipped.ShippedName;
import gilmok.shipped.ShippedName.Kind;
import gilmok.storage.Disk;
import gilmok.storage.FileOutput;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Writes the rows of some files of an hour anew, sorted, as hidden files: for each part of the
 * riders those that happened in time, and those that came in late. Rows of the same record are
 * written once if they meet in memory.
 *
 * <p>Each part takes a pass over the inputs, of which one page is in memory, and the rows of the
 * part in a {@link SortBuffer}. If it gets full, the part becomes several files, each sorted. Not
 * thread-safe.
 */
final class HourCompaction {
  /** How many rows a part should have at most. */
  private static final int PART_ROWS = 200_000;

  /** More parts would be more passes than it is worth. */
  private static final int PARTS_MAX = 64;

  /** Small, so that a reader who wants one rider decompresses little. */
  private static final int GROUP_ROWS_MAX = 8192;

  private static final int PAGE_ROWS_MAX = 1024;

  private static final String RIDER = "rider_id";
  private static final String TIME = "happened_at";
  private static final List<String> RIDERS_KEYS = List.of(RIDER, TIME, "dedup_key", "record_id");
  private static final List<String> KEYS = List.of("sequence", "record_id");

  private final Disk disk;
  private final Path hour;
  private final ByteBuffer buffer;
  private final Pace pace;
  private final int rowsMax;
  private final List<Input> inputs = new ArrayList<>();
  private final List<String> outputs = new ArrayList<>();
  private List<Column> columns = List.of();
  private boolean hasRiders;
  private long rowsIn;
  private long rowsTaken;
  private long rowsOut;

  /** Gives way to other work between two pages. */
  @FunctionalInterface
  interface Pace {
    void rest() throws InterruptedException;
  }

  private record Input(ShippedName name, ParquetFooter footer) {}

  /** Some of the rows: every row is of one part, whatever file it is in. */
  private record Part(Kind kind, int number, int of, long lateBefore) {
    ShippedName name(String node, long first, long last, int compaction, int run) {
      return new ShippedName(node, first, last, compaction, kind, number, of, run);
    }

    /** Whether a file can have rows of it, by the part of the riders that its name says. */
    boolean mayBeIn(ShippedName file) {
      int coarse = Math.min(of, file.parts());
      return (number - 1) / (of / coarse) == (file.part() - 1) / (file.parts() / coarse);
    }

    boolean mayBeIn(ParquetFooter file, int group) {
      return kind != Kind.LATE
          || file.mayHave(group, file.column(TIME), Long.MIN_VALUE, lateBefore - 1);
    }

    boolean has(ParquetValues rider, ParquetValues time, int row) {
      if (kind == Kind.ALL) {
        return true;
      }
      boolean isLate = time.has(row) && time.number(row) < lateBefore;
      return isLate == (kind == Kind.LATE) && partOf(rider, row) == number - 1;
    }

    private int partOf(ParquetValues rider, int row) {
      return rider.has(row)
          ? RiderHash.part(rider.bytes(), rider.offset(row), rider.length(row), of)
          : 0;
    }
  }

  /** One that has read nothing yet; {@code rowsMax} is of what is in memory at once. */
  HourCompaction(Disk disk, Path hour, ByteBuffer buffer, Pace pace, int rowsMax) {
    this.disk = disk;
    this.hour = hour;
    this.buffer = buffer;
    this.pace = pace;
    this.rowsMax = rowsMax;
  }

  long rowsIn() {
    return rowsIn;
  }

  long rowsOut() {
    return rowsOut;
  }

  /**
   * Writes the hidden files; complete and forced on return.
   *
   * @param lateBefore rows that happened before this, epoch ms, are late
   * @return their names, without what hides them
   */
  List<String> write(List<ShippedName> names, long lateBefore)
      throws IOException, InterruptedException {
    for (ShippedName name : names) {
      try (ParquetReader reader = ParquetReader.open(disk, hour.resolve(name.toString()))) {
        inputs.add(new Input(name, reader.footer()));
        rowsIn += reader.footer().rows();
      }
    }
    hasRiders = inputs.stream().allMatch(input -> input.footer.column(RIDER) >= 0);
    columns = columns();
    if (hasRiders) {
      int parts = parts();
      for (int part = 1; part <= parts; part++) {
        write(new Part(Kind.RIDERS, part, parts, lateBefore));
      }
      write(new Part(Kind.LATE, 1, 1, lateBefore));
    } else {
      write(new Part(Kind.ALL, 1, 1, lateBefore));
    }
    if (rowsTaken != rowsIn) {
      throw new IllegalStateException(hour + ": " + rowsTaken + " of " + rowsIn + " rows taken");
    }
    return outputs;
  }

  private int parts() {
    int parts = 1;
    while (parts < PARTS_MAX && parts * (long) Math.min(PART_ROWS, rowsMax) < rowsIn) {
      parts *= 2;
    }
    return parts;
  }

  /** The columns of all inputs, the keys first; one that an input lacks is optional. */
  private List<Column> columns() throws IOException {
    Map<String, Column> all = new LinkedHashMap<>();
    for (String key : hasRiders ? RIDERS_KEYS : KEYS) {
      all.put(key, new Column(key, ParquetType.TEXT, true)); // replaced below
    }
    for (Input input : inputs) {
      for (Column column : input.footer.columns()) {
        boolean isRequired = inputs.stream().allMatch(one -> isRequired(one, column.name()));
        Column merged = new Column(column.name(), column.type(), isRequired);
        all.put(column.name(), merged);
      }
    }
    return List.copyOf(all.values());
  }

  private static boolean isRequired(Input input, String name) {
    int column = input.footer.column(name);
    return column >= 0 && input.footer.columns().get(column).isRequired();
  }

  private void write(Part part) throws IOException, InterruptedException {
    SortBuffer rows = new SortBuffer(columns, keys(), rowsMax);
    ParquetValues[] values =
        columns.stream()
            .map(column -> new ParquetValues(column.name(), column.type()))
            .toArray(ParquetValues[]::new);
    int runs = 0;
    for (Input input : inputs) {
      if (part.mayBeIn(input.name)) {
        runs = read(input, part, values, rows, runs);
      }
    }
    if (!rows.isEmpty()) {
      writeRun(rows, part, runs + 1);
    }
  }

  /** Adds a file's rows of a part; returns how many runs of it are written. */
  private int read(Input input, Part part, ParquetValues[] values, SortBuffer rows, int runsBefore)
      throws IOException, InterruptedException {
    int runs = runsBefore;
    Path path = hour.resolve(input.name.toString());
    try (ParquetReader reader = ParquetReader.open(disk, path, input.footer)) {
      for (int group = 0; group < input.footer.groups(); group++) {
        if (!part.mayBeIn(input.footer, group)) {
          continue;
        }
        reader.begin(group, values);
        while (reader.nextPage()) {
          for (int row = 0; row < values[0].rows(); row++) {
            if (part.has(values[0], values[1], row) && !rows.add(values, row)) {
              writeRun(rows, part, ++runs);
              rows.add(values, row);
            }
          }
          pace.rest();
        }
      }
    }
    return runs;
  }

  private int keys() {
    return hasRiders ? RIDERS_KEYS.size() : KEYS.size();
  }

  private void writeRun(SortBuffer rows, Part part, int run) throws IOException {
    String node = inputs.getFirst().name.node();
    long first = inputs.stream().mapToLong(input -> input.name.first()).min().orElseThrow();
    long last = inputs.stream().mapToLong(input -> input.name.last()).max().orElseThrow();
    int compaction = inputs.stream().mapToInt(input -> input.name.compaction()).max().orElseThrow();
    String name = part.name(node, first, last, compaction + 1, run).toString();
    List<ParquetColumn> targets = new ArrayList<>();
    for (Column column : columns) {
      ParquetColumn target = new ParquetColumn(column.name(), column.type(), column.isRequired());
      if (column.name().equals(RIDER)) {
        target.boundTexts();
      }
      targets.add(target);
    }
    Path hidden = hour.resolve(CompactionIntent.hidden(name));
    try (FileOutput out = new FileOutput(disk.create(hidden), buffer);
        ParquetWriter file =
            new ParquetWriter(out, inFilesOrder(targets), GROUP_ROWS_MAX, PAGE_ROWS_MAX)) {
      rowsTaken += rows.rows();
      rows.writeTo(file, targets);
      file.finish();
      out.force();
      rowsOut += file.rows();
    }
    outputs.add(name);
  }

  /** The columns in the order that they have in the inputs. */
  private List<ParquetColumn> inFilesOrder(List<ParquetColumn> targets) {
    Set<String> names = new LinkedHashSet<>();
    for (Input input : inputs) {
      input.footer.columns().forEach(column -> names.add(column.name()));
    }
    List<String> order = List.copyOf(names);
    return targets.stream()
        .sorted(Comparator.comparingInt(column -> order.indexOf(column.name())))
        .toList();
  }
}

package gilmok.app;

import com.github.luben.zstd.ZstdInputStream;
import gilmok.event.JsonBuffer;
import gilmok.parquet.ParquetFooter;
import gilmok.parquet.ParquetReader;
import gilmok.parquet.ParquetType;
import gilmok.parquet.ParquetValues;
import gilmok.storage.FileDisk;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;

/**
 * Looks for a rider in every byte of folders: for the id, plain and as in JSON; for coordinates, as
 * text and in every form in which a number of ours is stored. Compressed files are unpacked, and
 * the columns of Parquet files are read.
 */
final class FolderScan {
  private static final int E7_DIGITS = 7;
  private static final double E7 = 1e7;

  private final Map<String, byte[]> wanted = new LinkedHashMap<>();
  private final List<Double> numbers;

  /**
   * @param texts ids
   * @param numbers coordinates with seven digits after the point, the last of them not 0
   */
  FolderScan(List<String> texts, List<Double> numbers) {
    this.numbers = numbers;
    for (String text : texts) {
      wanted.put(text, text.getBytes(StandardCharsets.UTF_8));
      JsonBuffer json = new JsonBuffer().string(text);
      wanted.put(text + " in JSON", Arrays.copyOfRange(json.bytes(), 1, json.size() - 1));
    }
    for (double number : numbers) {
      long e7 = Math.round(number * E7);
      long packed = e7 << 5 | E7_DIGITS;
      wanted.put(number + " as text", Double.toString(number).getBytes(StandardCharsets.US_ASCII));
      for (ByteOrder order : List.of(ByteOrder.BIG_ENDIAN, ByteOrder.LITTLE_ENDIAN)) {
        wanted.put(
            number + " " + order, ByteBuffer.allocate(8).order(order).putDouble(number).array());
        wanted.put(
            number + " e7 " + order, ByteBuffer.allocate(4).order(order).putInt((int) e7).array());
        byte[] eight = ByteBuffer.allocate(8).order(order).putLong(packed).array();
        byte[] five =
            order == ByteOrder.BIG_ENDIAN
                ? Arrays.copyOfRange(eight, 3, 8)
                : Arrays.copyOfRange(eight, 0, 5);
        wanted.put(number + " packed " + order, five);
      }
      wanted.put(number + " packed, as a varint", varint(packed));
      wanted.put(number + " e7, as a varint", varint(e7 << 1));
    }
  }

  private static byte[] varint(long value) {
    ByteBuffer out = ByteBuffer.allocate(10);
    long rest = value;
    while (rest > 0x7f) {
      out.put((byte) (rest | 0x80));
      rest >>>= 7;
    }
    return Arrays.copyOf(out.put((byte) rest).array(), out.position());
  }

  /** Each file that has something of it, with what; sorted. */
  Set<String> findings(Path... folders) throws IOException {
    Set<String> found = new TreeSet<>();
    for (Path folder : folders) {
      try (Stream<Path> files = Files.walk(folder)) {
        for (Path file : files.filter(Files::isRegularFile).toList()) {
          String name = folder.relativize(file).toString();
          if (hasText(name)) {
            found.add(name + ": its name");
          }
          try {
            look(name, Files.readAllBytes(file), found);
            unpack(name, file, found);
          } catch (NoSuchFileException gone) {
            // A running server has renamed or deleted it.
          }
        }
      }
    }
    return found;
  }

  /** The same of bytes of any other kind. */
  Set<String> findings(String name, byte[] bytes) {
    TreeSet<String> found = new TreeSet<>();
    look(name, bytes, found);
    return found;
  }

  private boolean hasText(String name) {
    return wanted.values().stream()
        .anyMatch(bytes -> contains(name.getBytes(StandardCharsets.UTF_8), bytes));
  }

  private void look(String name, byte[] bytes, Set<String> found) {
    wanted.forEach(
        (what, part) -> {
          if (contains(bytes, part)) {
            found.add(name + ": " + what);
          }
        });
  }

  private void unpack(String name, Path file, Set<String> found) throws IOException {
    if (name.endsWith(".gz")) {
      try (InputStream in = new GZIPInputStream(Files.newInputStream(file))) {
        look(name, in.readAllBytes(), found);
      }
    } else if (name.endsWith(".zst")) {
      try (InputStream in = new ZstdInputStream(Files.newInputStream(file))) {
        look(name, in.readAllBytes(), found);
      }
    } else if (name.endsWith(".parquet")) {
      columns(name, file, found);
    }
  }

  private void columns(String name, Path file, Set<String> found) throws IOException {
    try (ParquetReader reader = ParquetReader.open(new FileDisk(), file)) {
      ParquetFooter footer = reader.footer();
      for (int group = 0; group < footer.groups(); group++) {
        ParquetValues[] columns =
            footer.columns().stream()
                .map(column -> new ParquetValues(column.name(), column.type()))
                .toArray(ParquetValues[]::new);
        reader.begin(group, columns);
        while (reader.nextPage()) {
          for (ParquetValues column : columns) {
            column(name, column, found);
          }
        }
      }
    }
  }

  private void column(String name, ParquetValues column, Set<String> found) {
    for (int row = 0; row < column.rows(); row++) {
      if (column.has(row) && column.type() == ParquetType.TEXT) {
        int from = column.offset(row);
        look(
            name + " " + column.column(),
            Arrays.copyOfRange(column.bytes(), from, from + column.length(row)),
            found);
      } else if (column.has(row) && column.type() == ParquetType.DECIMAL) {
        double value = column.decimal(row);
        if (numbers.stream().anyMatch(number -> Math.abs(number - value) < 1 / E7 / 2)) {
          found.add(name + " " + column.column() + ": " + value);
        }
      }
    }
  }

  private static boolean contains(byte[] bytes, byte[] part) {
    byte first = part[0];
    for (int at = 0; at + part.length <= bytes.length; at++) {
      if (bytes[at] == first && Arrays.equals(bytes, at, at + part.length, part, 0, part.length)) {
        return true;
      }
    }
    return false;
  }
}

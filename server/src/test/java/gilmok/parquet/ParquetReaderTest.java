package gilmok.parquet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gilmok.Seeds;
import gilmok.storage.FileDisk;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the writer has written, the reader reads; and what is no such file, it refuses. */
@Tag("unit")
class ParquetReaderTest {
  @TempDir Path folder;

  @Test
  void randomRows_areReadAsWritten() {
    Seeds.each(
        100,
        seed -> {
          SplittableRandom random = new SplittableRandom(seed);
          int count = random.nextInt(3) == 0 ? random.nextInt(50_000) : random.nextInt(300);
          List<List<@Nullable Object>> rows = Rows.random(random, count);
          Path file = folder.resolve(seed + ".parquet");
          Rows.write(file, rows, random.nextInt(3) == 0 ? 1 + random.nextInt(99) : 30_000);
          assertThat(Rows.read(file)).isEqualTo(rows);
          assertBoundsHold(file, rows);
          Files.delete(file);
        });
  }

  @Test
  void pagesThatAreNotWanted_areLeftOut() {
    Seeds.each(
        30,
        seed -> {
          SplittableRandom random = new SplittableRandom(seed);
          List<List<@Nullable Object>> rows = Rows.random(random, random.nextInt(3000));
          Path file = folder.resolve(seed + "-pages.parquet");
          Rows.write(file, rows, 1 + random.nextInt(999));
          List<List<List<@Nullable Object>>> pages = Rows.pages(file, _ -> true);
          List<Boolean> wanted = pages.stream().map(_ -> random.nextInt(3) == 0).toList();
          var next = wanted.iterator();
          assertThat(Rows.pages(file, _ -> next.next()))
              .isEqualTo(
                  IntStream.range(0, pages.size())
                      .filter(wanted::get)
                      .mapToObj(pages::get)
                      .toList());
          Files.delete(file);
        });
  }

  /** Bounds are those of the group's values, to the last bit. */
  private static void assertBoundsHold(Path file, List<List<@Nullable Object>> rows)
      throws IOException {
    try (ParquetReader reader = ParquetReader.open(new FileDisk(), file)) {
      ParquetFooter footer = reader.footer();
      int from = 0;
      for (int group = 0; group < footer.groups(); group++) {
        List<List<@Nullable Object>> part = rows.subList(from, from + footer.rows(group));
        from += footer.rows(group);
        for (int c = 0; c < footer.columns().size(); c++) {
          assertBoundsHold(footer, group, c, part);
        }
      }
      assertThat(from).isEqualTo(rows.size());
    }
  }

  private static void assertBoundsHold(
      ParquetFooter footer, int group, int column, List<List<@Nullable Object>> rows) {
    List<Object> values = new ArrayList<>();
    rows.forEach(
        row -> {
          Object value = row.get(column);
          if (value != null) {
            values.add(value);
          }
        });
    ParquetType type = footer.columns().get(column).type();
    boolean isBounded = type != ParquetType.DECIMAL && type != ParquetType.FLAG;
    assertThat(footer.hasBounds(group, column)).isEqualTo(isBounded && !values.isEmpty());
    if (!footer.hasBounds(group, column)) {
      return;
    }
    if (type == ParquetType.TEXT) {
      for (Object value : values) {
        byte[] utf8 = value.toString().getBytes(StandardCharsets.UTF_8);
        assertThat(footer.mayHave(group, column, utf8)).isTrue();
      }
      assertThat(footer.mayHave(group, column, new byte[0])).isFalse();
      assertThat(footer.mayHave(group, column, new byte[] {(byte) 0xff})).isFalse();
    } else {
      List<Long> numbers = values.stream().map(Long.class::cast).sorted().toList();
      assertThat(footer.min(group, column)).isEqualTo(numbers.getFirst());
      assertThat(footer.max(group, column)).isEqualTo(numbers.getLast());
      assertThat(footer.mayHave(group, column, numbers.getLast(), Long.MAX_VALUE)).isTrue();
    }
  }

  /** DuckDB skips row groups by the bounds of texts, so it must find each where it is. */
  @Test
  void boundsOfTexts_areThoseThatDuckDbReads() throws Exception {
    List<ParquetColumn> columns = List.of(new ParquetColumn("rider_id", ParquetType.TEXT, true));
    columns.getFirst().boundTexts();
    List<List<@Nullable Object>> rows = new ArrayList<>();
    for (int i = 0; i < 1000; i++) {
      rows.add(List.of(String.format("길-%04d", i)));
    }
    Path file = folder.resolve("riders.parquet");
    Rows.write(file, columns, rows, 100);
    List<List<String>> bounds = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      bounds.add(List.of(String.format("길-%d00", i).replace("-", "-0"), "길-0" + i + "99"));
    }
    assertThat(
            query("select stats_min_value, stats_max_value from parquet_metadata('" + file + "')"))
        .isEqualTo(bounds);
    for (int i = 0; i < 1000; i += 37) {
      String id = String.format("길-%04d", i);
      assertThat(query("select rider_id from '" + file + "' where rider_id = '" + id + "'"))
          .containsExactly(List.of(id));
    }
  }

  @Test
  void longText_hasNoBounds_andIsThere() throws Exception {
    List<ParquetColumn> columns = List.of(new ParquetColumn("text", ParquetType.TEXT, true));
    columns.getFirst().boundTexts();
    String longText = "x".repeat(3_000_000);
    Path file = folder.resolve("long.parquet");
    Rows.write(file, columns, List.of(List.of("a"), List.of(longText), List.of("b")), 2);
    assertThat(Rows.read(file)).containsExactly(List.of("a"), List.of(longText), List.of("b"));
    try (ParquetReader reader = ParquetReader.open(new FileDisk(), file)) {
      assertThat(reader.footer().hasBounds(0, 0)).isFalse();
      assertThat(reader.footer().hasBounds(1, 0)).isTrue();
      assertThat(reader.footer().mayHave(0, 0, new byte[] {'z'})).isTrue();
    }
  }

  @Test
  void columnThatTheFileLacks_hasNoValues_andOneOfAnotherTypeIsRefused() throws Exception {
    Path file = folder.resolve("some.parquet");
    Rows.write(file, Rows.random(new SplittableRandom(1), 50), 20);
    try (ParquetReader reader = ParquetReader.open(new FileDisk(), file)) {
      ParquetValues later = new ParquetValues("added_later", ParquetType.TEXT);
      ParquetValues every = new ParquetValues("every_NUMBER", ParquetType.NUMBER);
      for (ParquetValues[] asked : new ParquetValues[][] {{later, every}, {later}}) {
        reader.begin(2, asked);
        int seen = 0;
        while (reader.nextPage()) {
          assertThat(later.has(later.rows() - 1)).isFalse();
          seen += later.rows();
        }
        assertThat(seen).isEqualTo(10);
      }
      assertThatThrownBy(() -> reader.begin(0, new ParquetValues("every_TEXT", ParquetType.FLAG)))
          .isInstanceOf(DamagedParquetException.class)
          .hasMessageContaining("every_TEXT is not of type FLAG");
    }
  }

  @Test
  void fileOfAnotherProgram_isRefused() throws Exception {
    Path file = folder.resolve("duck.parquet");
    for (String codec : List.of("zstd", "snappy", "uncompressed")) {
      query(
          "copy (select range as a, 'x' || (range % 3) as b, [range] as c from range(1000)) to '"
              + file
              + "' (format parquet, codec '"
              + codec
              + "')");
      assertThatThrownBy(() -> Rows.read(file))
          .isInstanceOf(DamagedParquetException.class)
          .hasMessageStartingWith(file + ": ");
    }
    Files.writeString(file, "PAR1 nothing but text, PAR1");
    assertThatThrownBy(() -> Rows.read(file)).isInstanceOf(DamagedParquetException.class);
    Files.writeString(file, "");
    assertThatThrownBy(() -> Rows.read(file)).isInstanceOf(DamagedParquetException.class);
  }

  private static List<List<String>> query(String sql) throws SQLException {
    List<List<String>> rows = new ArrayList<>();
    try (Connection connection = DriverManager.getConnection("jdbc:duckdb:");
        Statement statement = connection.createStatement()) {
      boolean hasRows = statement.execute(sql);
      ResultSet result = statement.getResultSet();
      while (hasRows && result.next()) {
        List<String> row = new ArrayList<>();
        for (int i = 1; i <= result.getMetaData().getColumnCount(); i++) {
          row.add(result.getString(i));
        }
        rows.add(row);
      }
    }
    return rows;
  }
}

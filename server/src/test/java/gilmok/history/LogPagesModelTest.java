package gilmok.history;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.Seeds;
import gilmok.event.JsonBuffer;
import gilmok.log.Stream;
import gilmok.parquet.ParquetColumn;
import gilmok.parquet.ParquetType;
import gilmok.parquet.ParquetWriter;
import gilmok.shipped.FileLeases;
import gilmok.shipped.ShippedFiles;
import gilmok.storage.FileDisk;
import gilmok.storage.FileOutput;
import gilmok.storage.NodeId;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Random log lines in random files, followed page by page by whoever goes on while there is a next
 * one: the same as a plain list has, whenever pages end.
 */
@Tag("unit")
final class LogPagesModelTest {
  private static final long BEGIN = 1_790_000_000_000L;
  private static final long SPAN = 6 * 3_600_000;
  private static final FileDisk DISK = new FileDisk();
  private static final JsonMapper JSON = new JsonMapper();
  private static final String COLUMN = "rider_id happened_at received_at dedup_key level message";

  @TempDir Path temp;

  private record Line(long at, int key) {
    String hex() {
      return String.format(Locale.ROOT, "%032x", key);
    }

    String message() {
      return (key % 7 == 0 ? "rare " : "usual ") + key;
    }
  }

  @Test
  void pages_areTheList_whateverTheyLookAtOnce() {
    Seeds.each(40, seed -> compare(seed, Duration.ZERO));
    Seeds.each(20, seed -> compare(seed, Duration.ofMinutes(1)));
  }

  private void compare(long seed, Duration enough) throws Exception {
    Random random = new Random(seed);
    Path folder = temp.resolve(seed + " " + enough);
    try (PastRig rig = new PastRig(folder)) {
      ShippedFiles files =
          new ShippedFiles(folder.resolve("lines"), DISK, new FileLeases(), 1 << 20);
      List<Line> all = new ArrayList<>();
      int count = 1 + random.nextInt(8);
      for (int i = 0; i < count; i++) {
        List<Line> lines = lines(random, i, all);
        write(folder.resolve("lines"), i, lines, 1 + random.nextInt(20));
        all.addAll(lines);
      }
      String sought = random.nextBoolean() ? "rare" : "";
      int limit = 1 + random.nextInt(10);
      List<String> expected =
          all.stream()
              .distinct()
              .filter(line -> line.at >= BEGIN && line.at < BEGIN + SPAN)
              .filter(line -> line.message().contains(sought))
              .sorted(Comparator.comparingLong(Line::at).thenComparing(Line::hex).reversed())
              .map(Line::message)
              .toList();
      List<String> found = new ArrayList<>();
      Set<String> cursors = new HashSet<>();
      int pages = 0;
      @Nullable String cursor = "";
      while (cursor != null) {
        JsonNode page = page(rig, files, sought, limit, cursor, enough);
        page.path("items").forEach(item -> found.add(item.path("message").asString()));
        cursor = page.path("next").isNull() ? null : page.path("next").asString();
        assertThat(cursor == null || cursors.add(cursor)).as("each page gets on").isTrue();
        pages++;
      }
      assertThat(found).isEqualTo(expected);
      if (!enough.isZero()) {
        assertThat(pages).isEqualTo(Math.max(1, (expected.size() + limit - 1) / limit));
      }
    }
  }

  /** Of about an hour, some late, some of a clock that is ahead, some that were there before. */
  private static List<Line> lines(Random random, int hour, List<Line> before) {
    return IntStream.range(0, 1 + random.nextInt(60))
        .mapToObj(
            i -> {
              if (!before.isEmpty() && random.nextInt(10) == 0) {
                return before.get(random.nextInt(before.size()));
              }
              long off = random.nextInt(20) == 0 ? random.nextInt(20_000_000) - 10_000_000 : 0;
              long at = BEGIN + hour * 3_600_000L + random.nextInt(360) * 10_000L + off;
              return new Line(at, 1_000 * hour + i);
            })
        .toList();
  }

  private static void write(Path folder, int number, List<Line> lines, int groupRows)
      throws Exception {
    List<ParquetColumn> columns = new ArrayList<>();
    for (String name : COLUMN.split(" ")) {
      ParquetType type = name.endsWith("_at") ? ParquetType.TIME : ParquetType.TEXT;
      columns.add(new ParquetColumn(name, type, true));
    }
    String date = Instant.ofEpochMilli(BEGIN).atOffset(ZoneOffset.UTC).toLocalDate().toString();
    Path path =
        folder
            .resolve("stream=logs")
            .resolve("date=" + date)
            .resolve("hour=00")
            .resolve(
                String.format(
                    Locale.ROOT, "%s-%020d-%020d.parquet", new NodeId(7), number + 1, number + 1));
    DISK.createFolder(path.resolveSibling(""));
    try (FileOutput out = new FileOutput(DISK.create(path), ByteBuffer.allocate(1 << 16));
        ParquetWriter writer = new ParquetWriter(out, columns, groupRows, groupRows)) {
      for (Line line : lines) {
        text(columns.get(0), "r1");
        columns.get(1).number(line.at);
        columns.get(2).number(BEGIN + SPAN / 2);
        text(columns.get(3), line.hex());
        text(columns.get(4), "info");
        text(columns.get(5), line.message());
        writer.endRow();
      }
      writer.finish();
    }
  }

  private static void text(ParquetColumn column, String value) {
    byte[] utf8 = value.getBytes(StandardCharsets.UTF_8);
    column.text(utf8, 0, utf8.length);
  }

  private static JsonNode page(
      PastRig rig, ShippedFiles files, String sought, int limit, String cursor, Duration enough)
      throws Exception {
    TimeSpan span = TimeSpan.of(BEGIN, BEGIN + SPAN, SPAN);
    LogQuestion first = new LogQuestion(null, Set.of(), sought, span, limit, null);
    PageCursor after =
        cursor.isEmpty() ? null : PageCursor.of(cursor, first.behind(place()).question());
    assertThat(after == null).as("a cursor is understood").isEqualTo(cursor.isEmpty());
    LogQuestion question = new LogQuestion(null, Set.of(), sought, span, limit, after);
    QuestionTime time = new QuestionTime(Duration.ofMinutes(1), enough, () -> false, () -> {});
    time.begin();
    QuestionCounts counts = new QuestionCounts();
    FreshRecords fresh =
        new FreshRecords(rig.log, Stream.LOGS, span, 0, Long.MAX_VALUE / 2, time, counts);
    JsonBuffer out = new JsonBuffer();
    try (LogAnswer answer =
        new LogAnswer(question, fresh, new ShippedStream(files, () -> 0), time, counts)) {
      assertThat(answer.write(out)).isFalse();
    }
    return JSON.readTree(out.copy());
  }

  private static Place place() {
    return new Place(BEGIN, 0, 0);
  }
}

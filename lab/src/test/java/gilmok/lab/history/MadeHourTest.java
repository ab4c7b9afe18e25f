package gilmok.lab.history;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.parquet.ParquetReader;
import gilmok.parquet.ParquetType;
import gilmok.parquet.ParquetValues;
import gilmok.storage.FileDisk;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An hour has the same records, in whichever form it is written. */
@Tag("unit")
class MadeHourTest {
  private static final int DAY = 3;
  private static final int HOUR = 16;

  @TempDir Path folder;

  @Test
  void hour_hasTheSameRecordsAsPublishedAndAsCompacted() throws IOException {
    MadeFleet fleet = new MadeFleet(4_000_000, 7);
    MadeHour published = hour(fleet, "published");
    published.published();
    MadeHour compacted = hour(fleet, "compacted");
    compacted.compacted();
    List<String> records = records(compacted);
    assertThat(records).hasSize((int) compacted.rows()).doesNotHaveDuplicates();
    assertThat(records(published)).containsExactlyInAnyOrderElementsOf(records);
    assertThat(published.files()).isEqualTo(360);
  }

  @Test
  void month_hasAboutAsManyPositionsAsWanted() {
    MadeFleet fleet = new MadeFleet(4_000_000, 7);
    long positions = 0;
    int late = 0;
    for (int rider = 0; rider < fleet.riders(); rider++) {
      for (int hour = 0; hour < 24; hour++) {
        positions += fleet.rides(rider, hour) ? (long) MadeFleet.DAYS * fleet.steps(rider) : 0;
        for (int day = 0; day < MadeFleet.DAYS; day++) {
          late += fleet.rides(rider, hour) && fleet.isLate(rider, day, hour) ? 1 : 0;
        }
      }
    }
    assertThat(positions).isBetween(3_900_000L, 4_000_000L);
    assertThat(late).isPositive();
  }

  private MadeHour hour(MadeFleet fleet, String name) {
    return new MadeHour(fleet, new FileDisk(), folder.resolve(name), "abcdefghijkl", DAY, HOUR);
  }

  private static List<String> records(MadeHour hour) throws IOException {
    List<String> records = new ArrayList<>();
    try (Stream<Path> files = Files.list(hour.folder())) {
      for (Path file : files.toList()) {
        read(file, records);
      }
    }
    return records;
  }

  private static void read(Path file, List<String> records) throws IOException {
    ParquetValues id = new ParquetValues("record_id", ParquetType.TEXT);
    ParquetValues key = new ParquetValues("dedup_key", ParquetType.TEXT);
    ParquetValues rider = new ParquetValues("rider_id", ParquetType.TEXT);
    ParquetValues at = new ParquetValues("happened_at", ParquetType.TIME);
    try (ParquetReader reader = ParquetReader.open(new FileDisk(), file)) {
      for (int group = 0; group < reader.footer().groups(); group++) {
        reader.begin(group, id, key, rider, at);
        while (reader.nextPage()) {
          for (int row = 0; row < id.rows(); row++) {
            records.add(
                text(id, row)
                    + " "
                    + text(key, row)
                    + " "
                    + text(rider, row)
                    + " "
                    + at.number(row));
          }
        }
      }
    }
  }

  private static String text(ParquetValues values, int row) {
    return new String(
        values.bytes(), values.offset(row), values.length(row), StandardCharsets.UTF_8);
  }
}

package gilmok.history.trip;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Assumptions;

/** The real fixes, by agent and day of UTC+08:00. {@code -Dgilmok.data} names their folder. */
final class GeolifeDays {
  private static final String FILE = "positions/geolife-000-004.csv.gz";

  /** One fix. */
  record Fix(long at, int lat, int lon) {}

  private GeolifeDays() {}

  /** The fixes of each day in the order of time, by "agent,day"; skips the test without them. */
  static Map<String, List<Fix>> read() throws IOException {
    Path file = Path.of(System.getProperty("gilmok.data", "../../shared/data")).resolve(FILE);
    Assumptions.assumeTrue(Files.exists(file), () -> "no real fixes: " + file + " is not there");
    Map<String, List<Fix>> days = new TreeMap<>();
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(
                new GZIPInputStream(Files.newInputStream(file)), StandardCharsets.UTF_8))) {
      lines.readLine();
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        String[] cells = line.split(",");
        Instant at = Instant.parse(cells[1]);
        String day = cells[0] + "," + at.atOffset(ZoneOffset.ofHours(8)).toLocalDate();
        days.computeIfAbsent(day, _ -> new ArrayList<>())
            .add(new Fix(at.toEpochMilli(), e7(cells[2]), e7(cells[3])));
      }
    }
    days.values().forEach(fixes -> fixes.sort(Comparator.comparingLong(Fix::at)));
    return days;
  }

  static void send(List<Fix> fixes, PointSink sink) {
    fixes.forEach(fix -> sink.point(fix.at, fix.lat, fix.lon, Double.NaN));
    sink.end();
  }

  private static int e7(String degrees) {
    return new BigDecimal(degrees).movePointRight(7).intValueExact();
  }
}

package gilmok.collect.json;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.event.EventField;
import gilmok.event.EventKind;
import gilmok.event.EventView;
import gilmok.event.Events;
import gilmok.event.JsonBuffer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Real GPS fixes keep their values to the last digit. {@code -Dgilmok.data} names their folder. */
@Tag("unit")
class GeolifeTest {
  private static final String FILE = "positions/geolife-000-004.csv.gz";

  @Test
  void decode_realFixes_sameAsTheirText() throws IOException {
    Path file = Path.of(System.getProperty("gilmok.data", "../../shared/data")).resolve(FILE);
    Assumptions.assumeTrue(Files.exists(file), () -> "no real fixes: " + file + " is not there");
    JsonDecoder decoder = new JsonDecoder();
    Events events = new Events();
    EventView view = new EventView();
    JsonBuffer out = new JsonBuffer();
    int count = 0;
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(
                new GZIPInputStream(Files.newInputStream(file)), StandardCharsets.UTF_8))) {
      lines.readLine();
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        String[] cells = line.split(",");
        byte[] body =
            """
            {"riderId":"%s","at":"%s","lat":%s,"lon":%s,"altitude":%s}\
            """
                .formatted((Object[]) cells)
                .getBytes(StandardCharsets.UTF_8);
        assertThat(
                decoder.decode(EventKind.POSITION, body, 0, body.length, events)
                        == DecodeOutcome.READ
                    && events.count() == 1)
            .as(line)
            .isTrue();
        view.wrap(events.bytes(), 0, events.length(0));
        out.clear();
        view.writeJson(out);
        if (!out.toString().equals(expected(cells))
            || view.number(EventField.ALTITUDE) != Double.parseDouble(cells[4])) {
          assertThat(out.toString()).isEqualTo(expected(cells));
        }
        count++;
      }
    }
    assertThat(count).isEqualTo(64_990);
  }

  private static String expected(String[] cells) {
    return "{\"riderId\":\""
        + cells[0]
        + "\",\"at\":\""
        + cells[1]
        + "\",\"lat\":"
        + shortest(cells[2])
        + ",\"lon\":"
        + shortest(cells[3])
        + ",\"altitude\":"
        + shortest(cells[4])
        + "}";
  }

  private static String shortest(String number) {
    BigDecimal value = new BigDecimal(number);
    return value.signum() == 0 ? "0" : value.stripTrailingZeros().toPlainString();
  }
}

package gilmok.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A real browser and a whole server: one browser for a class, one server for a test. */
class PageRig {
  static Chromium chromium;

  @TempDir Path data;
  RunningServer server;

  @BeforeAll
  static void startChromium() {
    chromium = Chromium.start();
  }

  @AfterAll
  static void stopChromium() {
    if (chromium != null) {
      chromium.close();
    }
  }

  @BeforeEach
  void startServer() throws Exception {
    server = RunningServer.start(data);
  }

  /**
   * Sends a rider's position.
   *
   * @param more further members, each after a comma
   */
  void send(String rider, double lat, double lon, int secondsAgo, String more) throws Exception {
    String at = Instant.now().minusSeconds(secondsAgo).toString();
    String body =
        "{\"riderId\":\"%s\",\"at\":\"%s\",\"lat\":%s,\"lon\":%s%s}"
            .formatted(rider, at, lat, lon, more);
    assertThat(server.post("/v1/traces", body).status()).isEqualTo(202);
  }

  /** Says whose a phone is, and in which group. */
  void tie(String device, String rider, String group) throws Exception {
    String body = "{\"riderId\":\"" + rider + "\",\"group\":\"" + group + "\"}";
    assertThat(
            server
                .send(server.adminKey(), "PUT", "/v1/devices/" + device, "application/json", body)
                .status())
        .isEqualTo(200);
  }

  @AfterEach
  void everyPage_hadNoErrorAndBrokeNoPolicy() throws Exception {
    List<String> faults = List.copyOf(chromium.faults);
    chromium.closePages();
    server.close();
    assertThat(faults).isEmpty();
  }
}

package gilmok.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
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

  @AfterEach
  void everyPage_hadNoErrorAndBrokeNoPolicy() throws Exception {
    List<String> faults = List.copyOf(chromium.faults);
    chromium.closePages();
    server.close();
    assertThat(faults).isEmpty();
  }
}

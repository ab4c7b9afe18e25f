package gilmok.observe.machine;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.background.BackgroundLoops;
import gilmok.observe.Meters;
import gilmok.observe.machine.FlightRecorderConfig.Mode;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Java's flight recorder, started in this process. */
@Tag("unit")
@Timeout(120)
final class RecorderWatchTest {
  private static final String PINNED = "gilmok_virtual_thread_pinned_seconds_count ";
  private static final String PAUSES = "gilmok_jvm_pause_seconds_count{kind=\"collection\"} ";

  @TempDir Path folder;
  private final Meters meters = new Meters();

  /** A class whose initialisation waits pins each virtual thread that needs it. */
  private static final class SlowToBegin {
    private static final int ONE = slowly();

    private static int slowly() {
      long end = System.nanoTime() + 20_000_000L;
      while (System.nanoTime() - end < 0) {
        LockSupport.parkNanos(end - System.nanoTime());
      }
      return 1;
    }
  }

  @AfterEach
  void close() {
    meters.close();
  }

  @Test
  void watch_aVirtualThreadThatIsPinned_isRecorded() throws Exception {
    RecorderFolder nowhere = new RecorderFolder(folder, "a-node");
    try (RecorderWatch watch =
        new RecorderWatch(folder, nowhere, meters, BackgroundLoops.unwatched())) {
      watch.watch(FlightRecorderConfig.OFF);
      assertThat(text()).doesNotContain(PINNED);

      watch.watch(new FlightRecorderConfig(Mode.TRUE));
      watch.watch(new FlightRecorderConfig(Mode.TRUE)); // a reload that changes something else
      while (!watch.isRunning()) {
        LockSupport.parkNanos(10_000_000);
      }
      assertThat(text()).contains(PINNED + "0", PAUSES + "0");
      Thread.ofVirtual().start(() -> assertThat(SlowToBegin.ONE).isEqualTo(1)).join();
      while (text().contains(PINNED + "0")) {
        LockSupport.parkNanos(10_000_000);
      }

      watch.watch(FlightRecorderConfig.OFF);
      while (watch.isRunning()) {
        LockSupport.parkNanos(10_000_000);
      }
    }
    assertThat(folder).isEmptyDirectory();
  }

  @Test
  void kind_ofAnOperation_tellsWhatTheJvmStoppedFor() {
    assertThat(RecorderStream.kind("G1CollectForAllocation")).isEqualTo("collection");
    assertThat(RecorderStream.kind("G1PauseRemark")).isEqualTo("collection");
    assertThat(RecorderStream.kind("SerialCollectForAllocation")).isEqualTo("collection");
    assertThat(RecorderStream.kind("GC_HeapInspection")).isEqualTo("heap");
    assertThat(RecorderStream.kind("ThreadDump")).isEqualTo("threads");
    assertThat(RecorderStream.kind("RedefineClasses")).isEqualTo("other");
  }

  @Test
  void file_ofAForcedWrite_isOneOfThree() {
    Path data = Path.of("/srv/data");
    assertThat(RecorderStream.file("/srv/data/log/1.seg", data)).isEqualTo("log");
    assertThat(RecorderStream.file("/srv/data/documents.sqlite-wal", data)).isEqualTo("documents");
    assertThat(RecorderStream.file("/srv/data/cursors/files.cursor", data)).isEqualTo("other");
    assertThat(RecorderStream.file("/srv/data", data)).isEqualTo("other");
    assertThat(RecorderStream.file("/elsewhere/log/x", data)).isEqualTo("other");
  }

  private String text() {
    return new String(meters.scrape(), StandardCharsets.UTF_8);
  }
}

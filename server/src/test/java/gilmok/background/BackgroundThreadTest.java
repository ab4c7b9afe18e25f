package gilmok.background;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;

@Tag("unit")
@ResourceLock("java.util.logging")
final class BackgroundThreadTest {
  private static final Logger LOGGER = Logger.getLogger("gilmok.background");

  @Test
  void whatABugEnds_isSaidWithItsName() throws InterruptedException {
    List<LogRecord> said = new CopyOnWriteArrayList<>();
    Handler handler =
        new Handler() {
          @Override
          public void publish(LogRecord line) {
            said.add(line);
          }

          @Override
          public void flush() {}

          @Override
          public void close() {}
        };
    LOGGER.addHandler(handler);
    try {
      Error bug = new Error("a bug");
      Runnable ends =
          () -> {
            throw bug;
          };
      BackgroundThread.startVirtual("one", ends).join();
      BackgroundThread.startDaemon("two", ends).join();
      BackgroundThread.startLasting("three", ends).join();
      Thread four = BackgroundThread.virtuals("four").newThread(ends);
      four.start();
      four.join();

      assertThat(said).extracting(LogRecord::getThrown).containsExactly(bug, bug, bug, bug);
      assertThat(said.stream().map(LogRecord::getMessage).toList())
          .containsExactly(
              "a bug ended the thread one",
              "a bug ended the thread two",
              "a bug ended the thread three",
              "a bug ended the thread four");
    } finally {
      LOGGER.removeHandler(handler);
    }
  }

  @Test
  void daemonsAlone_keepNoProcessAlive() {
    AtomicBoolean ran = new AtomicBoolean();
    assertThat(BackgroundThread.daemon("one", () -> ran.set(true)).isDaemon()).isTrue();
    assertThat(BackgroundThread.lasting("two", () -> ran.set(true)).isDaemon()).isFalse();
    assertThat(ran).as("not started").isFalse();
  }
}

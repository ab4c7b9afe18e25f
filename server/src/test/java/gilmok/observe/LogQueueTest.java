package gilmok.observe;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Tag("unit")
@Timeout(10)
class LogQueueTest {
  final ByteArrayOutputStream written = new ByteArrayOutputStream();

  @Test
  void publish_lines_writtenInOrder() {
    LogQueue queue = new LogQueue(written, 100).start();
    for (int i = 0; i < 50; i++) {
      queue.publish(message("m" + i));
    }
    queue.flush();

    assertThat(lines()).hasSize(50).first().asString().endsWith(" INFO gilmok.test m0");
    assertThat(lines()).last().asString().endsWith(" m49");
    queue.close();
  }

  @Test
  void publish_outputFailsForAMoment_goesOnAndSaysHowManyWereDropped() {
    AtomicBoolean isFull = new AtomicBoolean(true);
    OutputStream disk =
        new OutputStream() {
          @Override
          public void write(int one) {
            throw new UnsupportedOperationException();
          }

          @Override
          public void write(byte[] bytes, int offset, int length) throws IOException {
            if (isFull.get()) {
              throw new IOException("no space left on device");
            }
            written.write(bytes, offset, length);
          }
        };
    LogQueue queue = new LogQueue(disk, 10).start();
    queue.publish(message("lost"));
    queue.flush();
    isFull.set(false);
    queue.publish(message("kept"));
    queue.flush();

    assertThat(lines()).anyMatch(line -> line.endsWith(" kept"));
    assertThat(lines()).anyMatch(line -> line.contains("lines were dropped"));
    queue.close();
  }

  /** Lines of requests never keep out a warning, however many there are. */
  @Test
  void publish_linesOfRequests_leaveHalfOfTheQueueToOthers() {
    LogQueue queue = new LogQueue(written, 100); // nobody writes: an output that is blocked
    for (int i = 0; i < 1000; i++) {
      queue.publish(new FieldLog.FieldRecord(Level.INFO, "request", List.of()));
    }
    for (int i = 0; i < 50; i++) {
      queue.publish(message("m" + i));
    }
    queue.start().flush();

    assertThat(lines()).filteredOn(line -> line.endsWith(" request")).hasSize(50);
    assertThat(lines()).filteredOn(line -> line.matches(".* m\\d+")).hasSize(50);
    assertThat(lines()).last().asString().contains(" 950 lines were dropped");
    queue.close();
  }

  @Test
  void publish_outputThrowsAnError_goesOn() {
    AtomicBoolean isBroken = new AtomicBoolean(true);
    OutputStream output =
        new OutputStream() {
          @Override
          public void write(int one) {
            throw new UnsupportedOperationException();
          }

          @Override
          public void write(byte[] bytes, int offset, int length) {
            if (isBroken.get()) {
              throw new NoClassDefFoundError("told to fail");
            }
            written.write(bytes, offset, length);
          }
        };
    LogQueue queue = new LogQueue(output, 10).start();
    queue.publish(message("lost"));
    queue.flush();
    isBroken.set(false);
    queue.publish(message("kept"));
    queue.flush();

    assertThat(lines()).anyMatch(line -> line.endsWith(" kept"));
    queue.close();
  }

  @Test
  void publish_outputStandsStill_neverWaitsAndSaysHowManyWereDropped() throws Exception {
    CountDownLatch blocked = new CountDownLatch(1);
    CountDownLatch released = new CountDownLatch(1);
    OutputStream slow =
        new OutputStream() {
          @Override
          public void write(int one) {
            throw new UnsupportedOperationException();
          }

          @Override
          public void write(byte[] bytes, int offset, int length) {
            blocked.countDown();
            try {
              released.await();
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
            }
            written.write(bytes, offset, length);
          }
        };
    LogQueue queue = new LogQueue(slow, 10).start();
    queue.publish(message("first"));
    blocked.await();

    for (int i = 0; i < 1000; i++) {
      queue.publish(message("m" + i));
    }
    released.countDown();
    queue.close();

    try (Meters meters = new Meters()) {
      queue.show(meters);
      assertThat(new String(meters.scrape(), StandardCharsets.UTF_8))
          .contains("gilmok_log_lines_total{level=\"info\"} 1001.0")
          .contains("gilmok_log_lines_total{level=\"error\"} 0.0")
          .contains("gilmok_log_lines_dropped_total 990.0");
    }
    assertThat(lines()).hasSize(12);
    assertThat(lines())
        .last()
        .asString()
        .endsWith(" WARN gilmok.observe 990 lines were dropped: the log's output is too slow");
  }

  @Test
  void publish_argumentThatThrows_doesNotEndTheLog() {
    LogQueue queue = new LogQueue(written, 10).start();
    LogRecord poisoned = message("poisoned");
    poisoned.setThrown(
        new RuntimeException() {
          private static final long serialVersionUID = 1L;

          @Override
          public String getMessage() {
            throw new IllegalStateException();
          }
        });
    queue.publish(poisoned);
    queue.publish(message("after"));
    queue.close();

    assertThat(lines()).hasSize(2).last().asString().endsWith(" after");
  }

  private List<String> lines() {
    return written.toString(StandardCharsets.UTF_8).lines().toList();
  }

  private static LogRecord message(String text) {
    LogRecord record = new LogRecord(Level.INFO, text);
    record.setLoggerName("gilmok.test");
    return record;
  }
}

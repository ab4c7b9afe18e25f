package gilmok.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.ref.WeakReference;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server that has stopped leaves neither threads nor memory behind. */
@Tag("server")
final class StopIT {
  @TempDir Path data;

  @Test
  void stop_leavesNothingBehind() throws Exception {
    List<String> before = threads();
    WeakReference<Server> stopped = startAndStop();
    long end = System.nanoTime() + 20_000_000_000L;
    while (stopped.get() != null && System.nanoTime() < end) {
      System.gc();
      LockSupport.parkNanos(10_000_000);
    }
    assertThat(stopped.get()).isNull();
    List<String> after = threads();
    after.removeAll(before);
    assertThat(after)
        .noneMatch(
            name -> name.startsWith("log-") || name.startsWith("live") || name.contains("vert"));
  }

  private WeakReference<Server> startAndStop() throws Exception {
    try (RunningServer server = RunningServer.start(data)) {
      assertThat(
              server
                  .post("/v1/traces", "{\"riderId\":\"r\",\"at\":1,\"lat\":1,\"lon\":1}")
                  .status())
          .isEqualTo(202);
      return new WeakReference<>(server.server());
    }
  }

  private static List<String> threads() {
    return new java.util.ArrayList<>(
        Thread.getAllStackTraces().keySet().stream().map(Thread::getName).toList());
  }
}

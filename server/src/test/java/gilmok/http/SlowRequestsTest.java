package gilmok.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("unit")
final class SlowRequestsTest {
  private final AtomicLong now = new AtomicLong();
  private final SlowRequests slow = new SlowRequests(now::get);
  private final Route route = Route.open("GET", "/a", Priority.READS, 0, exchange -> {});

  private void answer(long nanos) {
    slow.answered(route, 200, "1", nanos, 0);
  }

  private long[] kept() {
    return slow.slowest().stream().mapToLong(SlowRequests.SlowRequest::nanos).toArray();
  }

  @Test
  void slowest_areKept_slowestFirst() {
    for (int i = 1; i <= 1000; i++) {
      answer(i * 7919L % 1009);
    }
    assertThat(kept())
        .containsExactly(
            java.util.stream.LongStream.rangeClosed(1, 1000)
                .map(i -> i * 7919L % 1009)
                .map(n -> -n)
                .sorted()
                .map(n -> -n)
                .limit(SlowRequests.KEPT_MAX)
                .toArray());
  }

  @Test
  void oldOnes_areForgotten_alsoWhenAllAreFasterNow() {
    for (int i = 0; i < 50; i++) {
      answer(1_000_000);
    }
    now.addAndGet(Duration.ofMinutes(6).toNanos());
    slow.tick();
    answer(5);
    assertThat(kept()).hasSize(SlowRequests.KEPT_MAX).doesNotContain(5);
    now.addAndGet(Duration.ofMinutes(5).toNanos());
    slow.tick();
    assertThat(kept()).containsExactly(5);
    now.addAndGet(Duration.ofMinutes(30).toNanos());
    slow.tick();
    assertThat(kept()).isEmpty();
  }
}

package gilmok.http;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.observe.PartTimes;
import gilmok.observe.SlowRequest;
import gilmok.observe.SlowRequests;
import gilmok.observe.SlowRoute;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("unit")
final class SlowRequestsTest {
  private final AtomicLong now = new AtomicLong();
  private final SlowRequests slow = new SlowRequests(now::get);

  private SlowRoute route(String path) {
    return slow.of("GET " + path);
  }

  private void answer(String path, long nanos) {
    answer(path, nanos, new RequestTimes());
  }

  private void answer(String path, long nanos, RequestTimes times) {
    if (route(path).keeps(nanos)) {
      route(path).keep(200, "1", nanos, 0, times.parts(), times.unexplained(nanos));
    }
  }

  private List<Long> kept() {
    return slow.slowest().stream().map(SlowRequest::nanos).toList();
  }

  @Test
  void slowestOfEachRoute_areKept_slowestFirst() {
    for (int i = 1; i <= 1000; i++) {
      answer("/a", i * 7919L % 1009);
    }
    answer("/b", 3);
    answer("/c", 2000);
    assertThat(kept()).startsWith(2000L, 1008L, 1007L).contains(3L);
    assertThat(slow.byRoute())
        .extracting(route -> route.getFirst().route())
        .containsExactly("GET /c", "GET /a", "GET /b");
    assertThat(slow.byRoute().get(1))
        .extracting(SlowRequest::nanos)
        .containsExactly(1008L, 1007L, 1006L, 1005L, 1004L);
  }

  @Test
  void thoseOfAllRoutes_areBounded() {
    LongStream.range(0, 30).forEach(i -> answer("/" + i, i + 1));
    assertThat(kept()).hasSize(SlowRequests.SHOWN_MAX).startsWith(30L, 29L).endsWith(11L);
  }

  @Test
  void oldOnes_areForgotten_alsoWhenAllAreFasterNow() {
    for (int i = 0; i < 50; i++) {
      answer("/a", 1_000_000);
    }
    now.addAndGet(Duration.ofMinutes(6).toNanos());
    slow.tick();
    answer("/a", 5);
    assertThat(kept()).hasSize(SlowRoute.KEPT_MAX).doesNotContain(5L);
    now.addAndGet(Duration.ofMinutes(5).toNanos());
    slow.tick();
    assertThat(kept()).containsExactly(5L);
    now.addAndGet(Duration.ofMinutes(30).toNanos());
    slow.tick();
    assertThat(kept()).isEmpty();
  }

  @Test
  void overATenthThatNoPartExplains_isSaid() {
    RequestTimes times = new RequestTimes();
    times.add(RequestPart.ADMISSION, 100);
    PartTimes.take();
    PartTimes.waited("mongo", 300);
    PartTimes.worked("mapping", 50);
    times.apart(PartTimes.take(), 10, 400);
    answer("/a", 560, times);
    answer("/b", 800, times);
    SlowRequest known = slow.byRoute().get(1).getFirst();
    assertThat(known.parts())
        .containsExactly(
            new SlowRequest.Part("admission", 100),
            new SlowRequest.Part("thread", 10),
            new SlowRequest.Part("work", 50),
            new SlowRequest.Part("mongo", 300),
            new SlowRequest.Part("mapping", 50));
    assertThat(known.unexplainedNanos()).isEqualTo(50);
    assertThat(known.isUnexplained()).isFalse();
    SlowRequest other = slow.byRoute().getFirst().getFirst();
    assertThat(other.unexplainedNanos()).isEqualTo(290);
    assertThat(other.isUnexplained()).isTrue();
  }
}

package gilmok.auth;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("unit")
class RateLimitTest {
  private static final long NOW = 1_795_251_600_000L;

  @ParameterizedTest
  @ValueSource(ints = {1, 3, 7, 1000, 999_983, 1_000_000})
  void pass_oneMoment_exactlyOneSecondsWorth(int perSecond) {
    RateLimit rate = new RateLimit(perSecond);
    int passed = 0;
    while (rate.pass(NOW) && passed <= perSecond) {
      passed++;
    }

    // The nanoseconds for one request are rounded down: the highest rates let a few more pass.
    assertThat(passed).isBetween(perSecond, perSecond + perSecond / 10_000);
  }

  @Test
  void pass_tenSeconds_neverMoreThanTheBurstAndTheRate() {
    RateLimit rate = new RateLimit(50);
    int passed = 0;
    for (int millis = 0; millis < 10_000; millis++) {
      passed += rate.pass(NOW + millis) ? 1 : 0;
    }

    assertThat(passed).isEqualTo(50 + 499);
  }

  @Test
  void pass_manyThreads_notOneMore() throws ExecutionException, InterruptedException {
    RateLimit rate = new RateLimit(1000);
    List<Future<Integer>> counts = new ArrayList<>();
    try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
      for (int thread = 0; thread < 4; thread++) {
        counts.add(
            threads.submit(
                () -> {
                  int passed = 0;
                  for (int i = 0; i < 1000; i++) {
                    passed += rate.pass(NOW) ? 1 : 0;
                  }
                  return passed;
                }));
      }
    }
    int passed = 0;
    for (Future<Integer> count : counts) {
      passed += count.get();
    }

    assertThat(passed).isEqualTo(1000);
  }
}

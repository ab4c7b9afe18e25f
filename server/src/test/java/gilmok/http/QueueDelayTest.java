package gilmok.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumMap;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The part that is refused, in a model of an event loop that handles so many requests a second. */
@Tag("unit")
final class QueueDelayTest {
  private static final long TARGET = 25_000_000L;
  private static final double EACH_NANOS = 100_000; // 10,000 a second
  private static final double REFUSED_NANOS = 20_000;

  private final QueueDelay delay = new QueueDelay(TARGET);
  private final Map<Priority, Integer> asked = new EnumMap<>(Priority.class);
  private final Map<Priority, Integer> taken = new EnumMap<>(Priority.class);
  private double queue;
  private long now = 1;
  private double most;

  /** What a fleet sends: a tenth actions, six tenths positions, a quarter reads, some reports. */
  private static Priority of(int number) {
    return switch (number % 20) {
      case 0, 1 -> Priority.ACTIONS;
      case 2, 3, 4, 5, 6 -> Priority.READS;
      case 7 -> Priority.REPORTS;
      default -> Priority.TRACES;
    };
  }

  /** Passes of a loop, for so long; requests come evenly and each waits for those before it. */
  private void run(double perSecond, double seconds) {
    asked.clear();
    taken.clear();
    most = 0;
    long end = now + (long) (1e9 * seconds);
    double due = 0;
    int number = 0;
    while (now < end) {
      double pass = Math.max(1e6, queue);
      due += perSecond * pass / 1e9;
      queue = 0;
      for (; due >= 1; due--) {
        Priority priority = of(number++);
        asked.merge(priority, 1, Integer::sum);
        if (delay.refuses(priority)) {
          queue += REFUSED_NANOS;
        } else {
          taken.merge(priority, 1, Integer::sum);
          queue += EACH_NANOS;
        }
      }
      delay.measured(now, now + (long) queue);
      now += (long) pass;
      most = Math.max(most, queue);
    }
  }

  private double taken(Priority priority) {
    return (double) taken.getOrDefault(priority, 0) / asked.getOrDefault(priority, 1);
  }

  @Test
  void withinWhatItTakes_nothingIsRefused() {
    run(9_000, 20);
    assertThat(delay.share()).isZero();
    for (Priority priority : asked.keySet()) {
      assertThat(taken(priority)).isEqualTo(1);
    }
  }

  @Test
  void twiceWhatItTakes_keepsThePriorities_andTheDelay() {
    run(20_000, 10);
    run(20_000, 20);
    assertThat(taken(Priority.ACTIONS)).isEqualTo(1);
    assertThat(taken(Priority.TRACES)).isBetween(0.3, 0.9);
    assertThat(taken(Priority.READS)).isLessThan(0.2);
    assertThat(taken(Priority.REPORTS)).isZero();
    assertThat(queue).isLessThan(4.0 * TARGET);
    int all = taken.values().stream().mapToInt(Integer::intValue).sum();
    assertThat(all / 20.0).as("taken a second").isGreaterThan(7_000);
  }

  @Test
  void afterIt_nothingIsRefusedWithinSeconds() {
    run(20_000, 10);
    assertThat(delay.share()).isPositive();
    run(5_000, 4);
    run(5_000, 1);
    assertThat(delay.share()).isLessThan(0.001);
    assertThat(taken(Priority.TRACES)).isGreaterThan(0.99);
  }

  @Test
  void onePause_refusesNobody() {
    run(5_000, 1);
    delay.measured(now, now + 300_000_000L);
    now += 300_000_000L;
    assertThat(delay.share()).isLessThan(0.001);
    run(5_000, 1);
    assertThat(taken(Priority.TRACES)).isGreaterThan(0.999);
  }

  @Test
  void actionsAlone_areRefusedOnceNothingElseIsLeft() {
    assertThat(QueueDelay.of(Priority.ACTIONS, 0.9)).isZero();
    assertThat(QueueDelay.of(Priority.ACTIONS, 1)).isEqualTo(1);
    assertThat(QueueDelay.of(Priority.ALWAYS, 1)).isZero();
  }

  @Test
  void withoutATarget_nothingIsRefused() {
    QueueDelay never = new QueueDelay(0);
    never.look(
        task -> {
          throw new AssertionError("measures nothing");
        });
    assertThat(never.refuses(Priority.REPORTS)).isFalse();
  }
}

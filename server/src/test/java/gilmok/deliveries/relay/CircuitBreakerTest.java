package gilmok.deliveries.relay;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.deliveries.relay.CircuitBreaker.Permit;
import gilmok.deliveries.relay.CircuitBreaker.State;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** When a breaker opens and closes, and how long pauses are. */
@Tag("unit")
class CircuitBreakerTest {
  private static final long NOW = Orders.BEGIN;
  private final CircuitBreaker breaker =
      new CircuitBreaker(Duration.ofMinutes(1), Duration.ofSeconds(10));

  @Test
  void note_nineteenFailures_staysClosed_theTwentiethOpens() {
    for (int i = 0; i < 19; i++) {
      call(false, NOW + i);
    }
    assertThat(breaker.state()).isEqualTo(State.CLOSED);
    call(false, NOW + 19);
    assertThat(breaker.state()).isEqualTo(State.OPEN);
    assertThat(breaker.openUntil(NOW + 19)).isEqualTo(NOW + 19 + 10_000);
    assertThat(breaker.failingSince()).isEqualTo(NOW + 19);
  }

  @Test
  void note_halfOfThem_staysClosed_oneMoreOpens() {
    for (int i = 0; i < 30; i++) {
      call(i % 2 == 0, NOW + i);
    }
    assertThat(breaker.state()).isEqualTo(State.CLOSED);
    call(false, NOW + 30);
    assertThat(breaker.state()).isEqualTo(State.OPEN);
  }

  @Test
  void note_failuresOfLongAgo_countNoMore() {
    for (int i = 0; i < 19; i++) {
      call(false, NOW);
    }
    call(false, NOW + 60_000);
    assertThat(breaker.state()).isEqualTo(State.CLOSED);
  }

  @Test
  void ask_clockWasSetBackWhileOpen_someTry() {
    open();
    assertThat(breaker.openUntil(NOW - 3_600_000)).isZero();
    assertThat(breaker.ask(NOW - 3_600_000)).isEqualTo(Permit.PROBE);
  }

  @Test
  void ask_whenOpen_isRefusedUntilThePause_thenAFewTry() {
    open();
    assertThat(breaker.ask(NOW + 9_999)).isEqualTo(Permit.REFUSED);
    for (int i = 0; i < CircuitBreaker.PROBES; i++) {
      assertThat(breaker.ask(NOW + 10_000)).isEqualTo(Permit.PROBE);
    }
    assertThat(breaker.ask(NOW + 10_000)).isEqualTo(Permit.REFUSED);
    assertThat(breaker.state()).isEqualTo(State.HALF_OPEN);
    for (int i = 0; i < CircuitBreaker.PROBES; i++) {
      breaker.note(Permit.PROBE, true, NOW + 10_500);
    }
    assertThat(breaker.state()).isEqualTo(State.CLOSED);
    assertThat(breaker.failingSince()).isZero();
    call(false, NOW + 10_600);
    assertThat(breaker.state()).as("begins anew").isEqualTo(State.CLOSED);
  }

  @Test
  void note_oneProbeFails_opensAgain_andKeepsSinceWhen() {
    open();
    assertThat(breaker.ask(NOW + 10_000)).isEqualTo(Permit.PROBE);
    assertThat(breaker.ask(NOW + 10_000)).isEqualTo(Permit.PROBE);
    breaker.note(Permit.PROBE, true, NOW + 11_000);
    breaker.note(Permit.PROBE, false, NOW + 12_000);
    assertThat(breaker.state()).isEqualTo(State.OPEN);
    assertThat(breaker.ask(NOW + 21_999)).isEqualTo(Permit.REFUSED);
    assertThat(breaker.ask(NOW + 22_000)).isEqualTo(Permit.PROBE);
    assertThat(breaker.failingSince()).isEqualTo(NOW);
  }

  @Test
  void note_callsOfBefore_changeNothingWhileOpen() {
    assertThat(breaker.ask(NOW)).isEqualTo(Permit.GO);
    open();
    breaker.note(Permit.GO, true, NOW + 1);
    assertThat(breaker.state()).isEqualTo(State.OPEN);
  }

  @Test
  void backoff_doublesFromHalfASecondToAnHour_withJitter() {
    RetryBackoff backoff =
        new RetryBackoff(Duration.ofMillis(500), Duration.ofHours(1), new Random(1));
    for (int attempts = 1; attempts < 100; attempts++) {
      double usual = Math.min(3_600_000, 500 * Math.pow(2, attempts - 1));
      assertThat((double) backoff.millis(attempts)).isBetween(0.79 * usual, 1.21 * usual);
    }
    assertThat(backoff.millis(14)).isNotEqualTo(backoff.millis(14));
  }

  @Test
  void retryAfter_isReadWhereItIsANumber() {
    assertThat(WebhookOutcome.retryAfter("120")).isEqualTo(120_000);
    assertThat(WebhookOutcome.retryAfter("99999999999999999999")).isEqualTo(999_999_999_000L);
    for (String none : new String[] {null, "", "-1", "1.5", "soon"}) {
      assertThat(WebhookOutcome.retryAfter(none)).isZero();
    }
  }

  private void open() {
    for (int i = 0; i < 20; i++) {
      call(false, NOW);
    }
  }

  private void call(boolean success, long now) {
    Permit permit = breaker.ask(now);
    if (permit != Permit.REFUSED) {
      breaker.note(permit, success, now);
    }
  }
}

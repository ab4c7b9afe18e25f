package gilmok.deliveries.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import gilmok.deliveries.Delivery;
import gilmok.deliveries.OutboxReader;
import gilmok.deliveries.Partner;
import gilmok.deliveries.WebhookState;
import gilmok.deliveries.WebhookState.State;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The relay over a real database and real HTTP. */
@Tag("server")
@Timeout(120)
class RelayTest {
  private static final CountDownLatch NEVER = new CountDownLatch(1);

  @TempDir Path folder;

  @Test
  void everything_isToldInOrder_toPartnersThatFailNowAndThen() throws Exception {
    try (SqliteFleet fleet = new SqliteFleet(folder)) {
      unreliable(fleet);
      fleet.start("n", false, SqliteFleet.quick());
      List<Delivery> all = deliveries(fleet, 60);
      assertToldWhole(fleet, all);
    }
  }

  @Test
  void relayThatIsStoppedInTheMiddle_losesNothing() throws Exception {
    try (SqliteFleet fleet = new SqliteFleet(folder)) {
      unreliable(fleet);
      List<Delivery> all = new ArrayList<>();
      for (int i = 0; i < 5; i++) {
        SqliteFleet.Running running = fleet.start("n", false, SqliteFleet.quick());
        all.addAll(deliveries(fleet, 12));
        fleet.server.book("/a1").await(10 * (i + 1));
        // No time to drain: calls in flight are given up, as when the process dies.
        fleet.stop(running, Duration.ZERO);
      }
      fleet.start("n", false, SqliteFleet.quick());
      assertToldWhole(fleet, all);
    }
  }

  @Test
  void twoRelays_shareTheShards_andOneTakesOverFromTheOther() throws Exception {
    try (SqliteFleet fleet = new SqliteFleet(folder)) {
      unreliable(fleet);
      Map<String, String> settings = SqliteFleet.quick();
      settings.put("relay.timeout", "300 ms");
      settings.put("relay.lease", "1500 ms");
      SqliteFleet.Running one = fleet.start("one", true, settings);
      SqliteFleet.Running two = fleet.start("two", true, settings);
      List<Delivery> all = new ArrayList<>();
      int rounds = 0;
      while (calls(one) == 0 || calls(two) == 0) {
        all.addAll(deliveries(fleet, 8));
        assertToldWhole(fleet, all);
        assertThat(++rounds).as("both have shards some time").isLessThan(200);
      }
      assertThat(shards(one) + shards(two)).isLessThanOrEqualTo(64);
      fleet.stop(one, Duration.ofSeconds(10));
      all.addAll(deliveries(fleet, 16));
      assertToldWhole(fleet, all);
    }
  }

  @Test
  void partnerThatCannotBeRead_itsWebhooksWait_andAllOthersAreTold() throws Exception {
    try (SqliteFleet fleet = new SqliteFleet(folder)) {
      fleet.shop("damaged");
      fleet.shop("sound");
      fleet.damageShop("damaged");
      SqliteFleet.Running running = fleet.start("n", false, SqliteFleet.quick());
      Delivery waits = fleet.whole("damaged");
      List<Delivery> told = List.of(fleet.whole("sound"), fleet.whole("sound"));
      fleet.server.book("/sound").await(10);
      fleet.server.book("/sound").assertWhole(told);
      String putOff = "gilmok_relay_deferred_total{reason=\"partner\"}";
      while (running.metric(putOff) == 0) {
        LockSupport.parkNanos(5_000_000);
      }
      assertThat(running.metric("gilmok_relay_partners_unreadable")).isEqualTo(1);
      assertThat(states(fleet, "damaged", State.WAITING))
          .hasSize(5)
          .last()
          .extracting(
              WebhookState::deliveryId,
              WebhookState::sequence,
              WebhookState::error,
              WebhookState::history)
          .containsExactly(waits.id(), 1, "its partner cannot be read", List.of());

      running.relay().partners().put(Orders.shop("damaged", fleet.server.url("/damaged")));
      assertThat(running.metric("gilmok_relay_partners_unreadable")).isZero();
      fleet.outbox.failed(waits.id(), OutboxReader.SHOP, 0, fleet.clock.millis(), "now", null);
      fleet.server.book("/damaged").await(5);
      fleet.server.book("/damaged").assertWhole(List.of(waits));
    }
  }

  @Test
  void partnerThatHangs_costsTheOthersNothing() throws Exception {
    try (SqliteFleet fleet = new SqliteFleet(folder)) {
      AtomicInteger hanging = new AtomicInteger();
      fleet.server.behave(
          "/hangs",
          (_, _) -> {
            hanging.incrementAndGet();
            NEVER.await();
            return 200;
          });
      fleet.shop("hangs");
      for (int i = 0; i < 5; i++) {
        fleet.shop("quick" + i);
      }
      Map<String, String> settings = SqliteFleet.quick();
      settings.put("relay.timeout", "60 s");
      settings.put("relay.lease", "180 s");
      fleet.start("n", false, settings);
      for (int i = 0; i < 100; i++) {
        fleet.whole("hangs");
      }
      List<Delivery> quick = new ArrayList<>();
      for (int i = 0; i < 50; i++) {
        quick.add(fleet.whole("quick" + i % 5));
      }
      // All of this happens while the first calls to the partner that hangs are still in flight.
      for (int i = 0; i < 5; i++) {
        String shop = "quick" + i;
        fleet.server.book("/" + shop).await(50);
        fleet
            .server
            .book("/" + shop)
            .assertWhole(quick.stream().filter(one -> one.order().shopId().equals(shop)).toList());
      }
      assertThat(hanging).hasValue(8);
    }
  }

  @Test
  void partnerThatAlwaysFails_isLeftAloneByItsBreaker() throws Exception {
    try (SqliteFleet fleet = new SqliteFleet(folder)) {
      AtomicInteger calls = new AtomicInteger();
      CountDownLatch opens = new CountDownLatch(CircuitBreaker.CALLS_MIN);
      fleet.server.behave(
          "/fails",
          (_, _) -> {
            calls.incrementAndGet();
            opens.countDown();
            return 500;
          });
      fleet.shop("fails");
      fleet.shop("works");
      SqliteFleet.Running running = fleet.start("n", false, SqliteFleet.quick());
      for (int i = 0; i < 60; i++) {
        fleet.create("fails", null);
      }
      opens.await();
      fleet.whole("works");
      fleet.server.book("/works").await(5);
      // Calls that began before the breaker opened may still arrive: at most one for each place.
      assertThat(calls.get()).isLessThan(CircuitBreaker.CALLS_MIN + 2 * 8);
      Partner fails = Orders.shop("fails", "");
      assertThat(running.relay().standing(fails)).isNotNull();
      assertThat(states(fleet, "fails", State.WAITING))
          .hasSize(60)
          .anyMatch(one -> one.failures() > 0);
    }
  }

  @Test
  void whatFailsForTooLong_isSetAside_andTheNextIsTold() throws Exception {
    try (SqliteFleet fleet = new SqliteFleet(folder)) {
      fleet.shop("s1");
      fleet.server.behave("/s1", (_, id) -> id.endsWith(":2") ? 500 : 200);
      Map<String, String> settings = SqliteFleet.quick();
      settings.put("relay.give-up-after", "1 s");
      // That second must have fewer calls than open a breaker.
      settings.put("relay.retry-min", "100 ms");
      settings.put("relay.retry-max", "100 ms");
      fleet.start("n", false, settings);
      Delivery delivery = fleet.whole("s1");
      fleet.server.book("/s1").await(4);
      assertThat(fleet.server.book("/s1").of(delivery)).containsExactly(1, 3, 4, 5);
      assertThat(states(fleet, "s1", State.SET_ASIDE))
          .extracting(WebhookState::sequence, WebhookState::type, WebhookState::error)
          .containsExactly(tuple(2, "delivery.accepted", "HTTP 500"));
    }
  }

  private static List<WebhookState> states(SqliteFleet fleet, String shop, State state)
      throws Exception {
    return fleet.outbox.webhooks().page(Orders.shop(shop, ""), state, null, 100).states();
  }

  private static void unreliable(SqliteFleet fleet) throws Exception {
    fleet.shop("s1");
    fleet.shop("s2");
    fleet.partners.put(Orders.agency("a1", fleet.server.url("/a1")));
    for (String path : List.of("/s1", "/s2", "/a1")) {
      SplittableRandom random = new SplittableRandom(path.hashCode());
      fleet.server.behave(
          path,
          (_, id) -> {
            double dice;
            synchronized (random) {
              dice = random.nextDouble();
            }
            if (dice < 0.05) {
              fleet.server.book(path).take(id);
              throw new IllegalStateException("taken, and the connection cut");
            }
            if (dice < 0.1) {
              throw new IllegalStateException("the connection cut");
            }
            return dice < 0.25 ? 503 : 204;
          });
    }
  }

  private static List<Delivery> deliveries(SqliteFleet fleet, int count) throws Exception {
    List<Delivery> all = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      all.add(fleet.whole("s" + (1 + i % 2)));
    }
    return all;
  }

  private static void assertToldWhole(SqliteFleet fleet, List<Delivery> all) throws Exception {
    fleet.server.book("/a1").await(5 * all.size());
    fleet.server.book("/a1").assertWhole(all);
    for (String shop : List.of("s1", "s2")) {
      List<Delivery> theirs =
          all.stream().filter(one -> one.order().shopId().equals(shop)).toList();
      fleet.server.book("/" + shop).await(5 * theirs.size());
      fleet.server.book("/" + shop).assertWhole(theirs);
    }
    assertThat(fleet.server.unsigned).isEmpty();
  }

  private static double calls(SqliteFleet.Running running) {
    return running.metric("gilmok_relay_calls_total{outcome=\"success\"}");
  }

  private static double shards(SqliteFleet.Running running) {
    return running.metric("gilmok_relay_shards");
  }
}

package gilmok.deliveries.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gilmok.deliveries.Delivery;
import gilmok.deliveries.DeliveryId;
import gilmok.deliveries.DeliveryStore;
import gilmok.deliveries.OutboxReader;
import gilmok.deliveries.Step;
import gilmok.deliveries.WebhookState;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What the relay does with each answer of a partner. */
@Tag("unit")
class OutboxPollerTest {
  private static final long MINUTE = 60_000;
  private static final long DAY = Duration.ofHours(24).toMillis();

  private final Orders clock = new Orders(7);
  private final MemoryDocuments documents = new MemoryDocuments(clock);
  private final Map<String, WebhookOutcome> answers = new HashMap<>();
  private final Map<String, List<Long>> calls = new HashMap<>();
  private final RelayNode node = new RelayNode(documents, clock, "node", false, this::send);

  private WebhookOutcome send(WebhookCall call) {
    calls.computeIfAbsent(call.id(), _ -> new ArrayList<>()).add(clock.millis());
    return answers.getOrDefault(call.target().path(), new WebhookOutcome(204, "", 0));
  }

  private void answer(String path, int status) {
    answers.put(path, new WebhookOutcome(status, status == 0 ? "no answer" : "HTTP " + status, 0));
  }

  private List<Long> calls(Delivery delivery, int sequence) {
    return calls.getOrDefault(Webhook.id(delivery.id(), sequence), List.of());
  }

  @Test
  void delivery_ofShopAndAgency_isToldToBoth() throws Exception {
    documents.put(Orders.shop("s", "http://10.0.0.1/s"));
    documents.put(Orders.agency("a", "http://10.0.0.1/a"));
    Delivery delivery = clock.create(documents, "s", "a");
    node.pass();
    assertThat(calls(delivery, 1)).hasSize(2);
    assertThat(documents.isEmpty(OutboxReader.SHOP)).isTrue();
    assertThat(documents.isEmpty(OutboxReader.AGENCY)).isTrue();
  }

  @Test
  void nothingPending_isNotPolled_untilSomethingChanges_ofWhichNobodyHints() throws Exception {
    documents.put(Orders.shop("s", "http://10.0.0.1/s"));
    AtomicInteger woken = new AtomicInteger();
    node.poller.onChange(woken::incrementAndGet);
    for (int round = 1; round <= 3; round++) {
      for (int i = 0; i < 5; i++) {
        clock.pass(1_000);
        node.pass();
      }
      int polls = documents.polls;
      for (int i = 0; i < 60; i++) {
        clock.pass(MINUTE);
        assertThat(node.pass()).isGreaterThanOrEqualTo(clock.millis() + MINUTE);
      }
      assertThat(documents.polls).isEqualTo(polls);
      woken.set(0);
      Delivery delivery = clock.create(documents, "s", null);
      assertThat(woken).hasPositiveValue();
      node.pass();
      assertThat(calls(delivery, 1)).hasSize(1);
    }
  }

  /** What waits for a retry is pending: it is polled for as often as ever. */
  @Test
  void retryThatWaits_isPolledFor() throws Exception {
    documents.put(Orders.shop("s", "http://10.0.0.1/s"));
    answer("/s", 503);
    Delivery delivery = clock.create(documents, "s", null);
    for (int i = 0; i < 30; i++) {
      assertThat(node.pass()).isLessThanOrEqualTo(clock.millis() + 1_000);
      clock.pass(100);
    }
    assertThat(calls(delivery, 1)).hasSizeGreaterThan(1);
  }

  /**
   * Once the clock is set back, a retry time lies in the future. It must not delay the delivery,
   * even if it is nearer than the longest pause.
   */
  @Test
  void clockSetBack_whatWasPutOffMeanwhile_isToldAtOnce() throws Exception {
    documents.put(Orders.shop("s", "http://10.0.0.1/s"));
    answer("/s", 503);
    clock.pass(15 * MINUTE);
    Delivery delivery = clock.create(documents, "s", null);
    node.pass();
    assertThat(calls(delivery, 1)).hasSize(1);
    answers.clear();
    clock.pass(-15 * MINUTE);
    node.pass();
    node.pass();
    assertThat(calls(delivery, 1)).hasSize(2);
    assertThat(documents.isEmpty(OutboxReader.SHOP)).isTrue();
  }

  /**
   * Every pass must ask the store, not only those that look at the shards: a pass that does nothing
   * seems to succeed.
   */
  @Test
  void storeAway_everyPassFails_untilItIsBack() throws Exception {
    documents.put(Orders.shop("s", "http://10.0.0.1/s"));
    node.pass();
    Delivery delivery = clock.create(documents, "s", null);
    node.poller.changed(delivery);
    documents.isBroken = true;
    for (int i = 0; i < 5; i++) {
      assertThatThrownBy(node.poller::pass).isInstanceOf(IOException.class);
    }
    documents.isBroken = false;
    node.pass();
    assertThat(calls(delivery, 1)).hasSize(1);
  }

  /** A partner is told which rider has a delivery once that is written down, and not before. */
  @Test
  void rider_whoCannotBeWrittenDown_isNotTold() throws Exception {
    documents.put(Orders.shop("s", "http://10.0.0.1/s"));
    Delivery delivery = clock.create(documents, "s", null);
    for (Step step : List.of(Step.ACCEPT, Step.ASSIGN)) {
      delivery = clock.move(documents, delivery, step);
    }
    node.hasNoRoomForDisclosures = true;
    node.pass();
    assertThat(calls(delivery, 2)).as("nobody has it yet").hasSize(1);
    assertThat(calls(delivery, 3)).isEmpty();
    node.hasNoRoomForDisclosures = false;
    clock.pass(MINUTE);
    node.pass();
    assertThat(calls(delivery, 3)).hasSize(1);
    assertThat(node.disclosed).containsExactly(delivery.riderId() + " to shop/s");
  }

  @Test
  void noThread_forLong_isToldOnceThereIsOne() throws Exception {
    documents.put(Orders.shop("s", "http://10.0.0.1/s"));
    Delivery delivery = clock.create(documents, "s", null);
    node.isWithoutThreads = true;
    for (int i = 0; i < 50; i++) {
      assertThatThrownBy(node::pass).isInstanceOf(OutOfMemoryError.class);
      clock.pass(MINUTE);
    }
    node.isWithoutThreads = false;
    node.pass();
    assertThat(calls(delivery, 1)).hasSize(1);
    assertThat(documents.isEmpty(OutboxReader.SHOP)).isTrue();
  }

  @Test
  void delivery_ofNobodyKnown_isToldWithoutACall() throws Exception {
    for (int i = 0; i < 200; i++) {
      clock.create(documents, "nobody", null);
    }
    node.pass();
    assertThat(documents.isEmpty(OutboxReader.SHOP)).isTrue();
    assertThat(calls).isEmpty();
    assertThat(node.metric("gilmok_relay_skipped_total{kind=\"shop\"}")).isEqualTo(200);
  }

  @Test
  void events_notWanted_areLeftOut() throws Exception {
    documents.put(Orders.shop("s", "http://10.0.0.1/s", "delivery.accepted", "delivery.picked_up"));
    Delivery delivery = clock.create(documents, "s", null);
    node.pass();
    assertThat(calls).isEmpty();
    for (Step step : Orders.WAY) {
      delivery = clock.move(documents, delivery, step);
    }
    node.poller.changed(delivery);
    node.pass();
    node.pass();
    assertThat(calls.keySet())
        .containsExactlyInAnyOrder(delivery.id() + ":2", delivery.id() + ":4");
    assertThat(documents.isEmpty(OutboxReader.SHOP)).isTrue();
  }

  /** It refuses this delivery, and is there: only this delivery's own pauses count. */
  @Test
  void failures_areTriedAgain_fromHalfASecondToAnHour_thenSetAside() throws Exception {
    documents.put(Orders.shop("s", "http://10.0.0.1/s"));
    answer("/s", 400);
    Delivery first = clock.create(documents, "s", null);
    Delivery delivery = clock.move(documents, first, Step.ACCEPT);
    long begin = clock.millis();
    while (documents.aside.isEmpty() && clock.millis() < begin + 2 * DAY) {
      node.pass();
      // Pauses grow with the time that has passed, and so may the steps: far below a hundredth.
      clock.pass(Math.max(250, (clock.millis() - begin) / 4_000));
    }
    List<Long> at = calls(delivery, 1);
    for (int i = 1; i < at.size(); i++) {
      double usual = Math.min(3_600_000, 500 * Math.pow(2, i - 1));
      assertThat((double) at.get(i) - at.get(i - 1))
          .as("pause " + i)
          .isBetween(0.79 * usual, 1.21 * usual + 300);
    }
    assertThat(at.size()).isBetween(33, 42);
    WebhookState aside = documents.aside.getFirst();
    assertThat(aside.sequence()).isEqualTo(1);
    assertThat(aside.error()).isEqualTo("HTTP 400");
    assertThat(aside.atMillis() - begin).isBetween(DAY, DAY + Duration.ofMinutes(73).toMillis());
    assertThat(calls(delivery, 2)).as("on with the next").hasSize(1);
    answer("/s", 200);
    clock.pass(1_000);
    node.pass();
    assertThat(documents.isEmpty(OutboxReader.SHOP)).isTrue();
  }

  @Test
  void goneForGood_isSetAside_andNothingMoreIsSent_untilItIsPutAgain() throws Exception {
    documents.put(Orders.shop("s", "http://10.0.0.1/s"));
    answer("/s", 410);
    Delivery delivery = clock.create(documents, "s", null);
    node.pass();
    assertThat(documents.aside).extracting(WebhookState::sequence).containsExactly(1);
    assertThat(Objects.requireNonNull(documents.find(OutboxReader.SHOP, "s")).events()).isEmpty();
    Delivery accepted = clock.move(documents, delivery, Step.ACCEPT);
    clock.pass(1_000);
    node.pass();
    assertThat(calls(delivery, 2)).isEmpty();
    assertThat(documents.isEmpty(OutboxReader.SHOP)).isTrue();
    answer("/s", 200);
    node.partners.put(Orders.shop("s", "http://10.0.0.1/s"));
    clock.move(documents, accepted, Step.ASSIGN);
    clock.pass(1_000);
    node.pass();
    assertThat(calls(delivery, 3)).hasSize(1);
  }

  @Test
  void throttled_holdsBackAllOfThatPartner() throws Exception {
    documents.put(Orders.shop("s", "http://10.0.0.1/s"));
    answers.put("/s", new WebhookOutcome(429, "HTTP 429", 30_000));
    Delivery first = clock.create(documents, "s", null);
    node.pass();
    answer("/s", 200);
    Delivery second = clock.create(documents, "s", null);
    for (int i = 0; i < 29; i++) {
      clock.pass(1_000);
      node.pass();
    }
    assertThat(calls(second, 1)).isEmpty();
    for (int i = 0; i < 30; i++) {
      clock.pass(1_000);
      node.pass();
    }
    assertThat(calls(first, 1)).hasSize(2);
    assertThat(calls(second, 1)).hasSize(1);
  }

  @Test
  void hangingPartner_opensItsBreaker_andCostsFewCallsAndWrites() throws Exception {
    documents.put(Orders.shop("hangs", "http://10.0.0.1/hangs"));
    answer("/hangs", 0);
    for (int i = 0; i < 500; i++) {
      clock.create(documents, "hangs", null);
    }
    for (int i = 0; i < 60; i++) {
      clock.pass(1_000);
      node.pass();
    }
    assertThat(node.bulkheads.count(CircuitBreaker.State.CLOSED)).isZero();
    long made = calls.values().stream().mapToLong(List::size).sum();
    int written = documents.writes;
    for (int i = 0; i < 60; i++) {
      clock.pass(MINUTE);
      node.pass();
    }
    assertThat(calls.values().stream().mapToLong(List::size).sum() - made)
        .as("an hour of at most some probes a pause")
        .isLessThanOrEqualTo(60L * CircuitBreaker.PROBES);
    assertThat(documents.writes - written)
        .as("each is put off some times an hour, beside two looks a shard and minute")
        .isLessThan(60 * 2 * DeliveryId.SHARDS + 60 * 500);
    answer("/hangs", 200);
    for (int i = 0; i < 90 && !documents.isEmpty(OutboxReader.SHOP); i++) {
      clock.pass(MINUTE);
      node.pass();
    }
    assertThat(documents.isEmpty(OutboxReader.SHOP)).as("all is told once it answers").isTrue();
    assertThat(documents.aside).isEmpty();
  }

  @Test
  void breakerOpenForADay_setsAsideWithoutACallForEach() throws Exception {
    documents.put(Orders.shop("dead", "http://10.0.0.1/dead"));
    answer("/dead", 0);
    for (int i = 0; i < 100; i++) {
      clock.create(documents, "dead", null);
    }
    for (int i = 0; i < 26 * 60; i++) {
      clock.pass(MINUTE);
      node.pass();
    }
    assertThat(documents.aside).hasSize(100);
    assertThat(documents.isEmpty(OutboxReader.SHOP)).isTrue();
    for (WebhookState aside : documents.aside) {
      assertThat(aside.atMillis()).isGreaterThanOrEqualTo(Orders.BEGIN + DAY);
    }
  }

  @Test
  void backlogOfOnePartner_doesNotHideTheOthers() throws Exception {
    documents.put(Orders.shop("slow", "http://10.0.0.1/slow"));
    documents.put(Orders.shop("quick", "http://10.0.0.1/quick"));
    List<Delivery> slow = ofShard(3, "slow", 400);
    clock.pass(10);
    List<Delivery> quick = ofShard(3, "quick", 1);
    // The slow partner's calls do not end: nothing that the poller begins is run yet.
    for (int i = 0; i < 30; i++) {
      node.poller.pass();
      clock.pass(1_000);
    }
    assertThat(node.poller.inFlight()).isEqualTo(8 + 32 + 1);
    node.pass();
    assertThat(calls(quick.getFirst(), 1)).hasSize(1);
    for (int i = 0; i < 600 && !documents.isEmpty(OutboxReader.SHOP); i++) {
      clock.pass(1_000);
      node.pass();
    }
    assertThat(slow).allMatch(one -> calls(one, 1).size() == 1);
  }

  @Test
  void replay_tellsAllOnceMore_underTheSameIds() throws Exception {
    documents.put(Orders.shop("s", "http://10.0.0.1/s"));
    Delivery delivery = clock.create(documents, "s", null);
    clock.move(documents, delivery, Step.ACCEPT);
    node.pass();
    clock.pass(5_000);
    documents.webhooks().replay(OutboxReader.SHOP, "s", Orders.BEGIN);
    node.pass();
    assertThat(calls(delivery, 1)).hasSize(2);
    assertThat(calls(delivery, 2)).hasSize(2);
  }

  @Test
  void partnersOfManyIds_haveFewMetrics() throws Exception {
    for (int i = 0; i < RelayMeter.PARTNERS_MAX + 20; i++) {
      documents.put(Orders.shop("s" + i, "http://10.0.0.1/s"));
      clock.create(documents, "s" + i, null);
    }
    node.pass();
    assertThat(node.metric("gilmok_relay_partner_delivered_total{partner=\"other\"}"))
        .isEqualTo(20);
    assertThat(node.metric("gilmok_relay_calls_total{outcome=\"success\"}"))
        .isEqualTo(RelayMeter.PARTNERS_MAX + 20);
  }

  private List<Delivery> ofShard(int shard, String shop, int count) throws Exception {
    List<Delivery> all = new ArrayList<>();
    while (all.size() < count) {
      Delivery one = clock.delivery(shop, null);
      if (DeliveryId.shard(one.id()) == shard) {
        documents.create(List.of(new DeliveryStore.Wish(one, null)));
        all.add(one);
      }
    }
    return all;
  }
}

package gilmok.deliveries.relay;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.config.Settings;
import gilmok.deliveries.Outbox.Due;
import gilmok.deliveries.OutboxReader;
import gilmok.deliveries.relay.PartnerBulkhead.Offer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A partner's bulkhead, and which deliveries are in flight. */
@Tag("unit")
class PartnerBulkheadTest {
  private final Orders orders = new Orders(1);

  @Test
  void offer_hasEightPlaces_thenAShortQueue_thenNoRoom() {
    PartnerBulkhead bulkhead =
        new PartnerBulkhead(
            new PartnerBulkhead.Key(OutboxReader.SHOP, "s"), () -> RelayNode.CONFIG);
    List<Offer> offers = new ArrayList<>();
    List<Due> all = new ArrayList<>();
    for (int i = 0; i < 45; i++) {
      all.add(new Due(orders.delivery("s", null), OutboxReader.SHOP, 0, 0, 0));
      offers.add(bulkhead.offer(all.getLast()));
    }
    assertThat(offers.subList(0, 8)).containsOnly(Offer.BEGIN);
    assertThat(offers.subList(8, 40)).containsOnly(Offer.WAITS);
    assertThat(offers.subList(40, 45)).containsOnly(Offer.FULL);
    assertThat(bulkhead.next()).isEqualTo(all.get(8));
    assertThat(bulkhead.offer(all.get(40))).isEqualTo(Offer.WAITS);
    assertThat(bulkhead.giveUp()).hasSize(32);
    for (int i = 0; i < 7; i++) {
      assertThat(bulkhead.next()).isNull();
    }
    assertThat(bulkhead.standing().inFlight()).isZero();
    assertThat(bulkhead.offer(all.getFirst())).isEqualTo(Offer.BEGIN);
  }

  @Test
  void redeliveries_haveFourPlaces_besideTheDeliveries() {
    PartnerBulkhead bulkhead =
        new PartnerBulkhead(
            new PartnerBulkhead.Key(OutboxReader.SHOP, "s"), () -> RelayNode.CONFIG);
    for (int i = 0; i < 4; i++) {
      assertThat(bulkhead.beginRedelivery()).isTrue();
    }
    assertThat(bulkhead.beginRedelivery()).isFalse();
    assertThat(bulkhead.offer(new Due(orders.delivery("s", null), OutboxReader.SHOP, 0, 0, 0)))
        .isEqualTo(Offer.BEGIN);
    bulkhead.endRedelivery();
    assertThat(bulkhead.beginRedelivery()).isTrue();
    assertThat(bulkhead.beginRedelivery()).isFalse();
  }

  @Test
  void concurrency_thatChanges_isFollowedBothWays() {
    RelayConfig few = RelayConfig.from(new Settings(Map.of("relay.concurrency-max", "2")));
    AtomicReference<RelayConfig> config = new AtomicReference<>(RelayNode.CONFIG);
    PartnerBulkhead bulkhead =
        new PartnerBulkhead(new PartnerBulkhead.Key(OutboxReader.SHOP, "s"), config::get);
    Due due = new Due(orders.delivery("s", null), OutboxReader.SHOP, 0, 0, 0);
    for (int i = 0; i < 9; i++) {
      bulkhead.offer(due);
    }
    assertThat(bulkhead.standing()).extracting("inFlight", "queued").containsExactly(8, 1);
    config.set(few);
    for (int i = 0; i < 6; i++) {
      assertThat(bulkhead.next()).as("one fewer at a time").isNull();
    }
    assertThat(bulkhead.next()).as("the two that are left go on").isEqualTo(due);
    assertThat(bulkhead.standing()).extracting("inFlight", "queued").containsExactly(2, 0);
    assertThat(bulkhead.offer(due)).isEqualTo(Offer.WAITS);
    config.set(RelayNode.CONFIG);
    assertThat(bulkhead.offer(due)).isEqualTo(Offer.BEGIN);
  }

  @Test
  void ask_whileHeldBack_isRefused() {
    PartnerBulkhead bulkhead =
        new PartnerBulkhead(
            new PartnerBulkhead.Key(OutboxReader.SHOP, "s"), () -> RelayNode.CONFIG);
    long now = Orders.BEGIN;
    bulkhead.holdBack(now + 100);
    bulkhead.holdBack(now + 50);
    assertThat(bulkhead.ask(now + 99)).isEqualTo(CircuitBreaker.Permit.REFUSED);
    assertThat(bulkhead.blockedUntil(now)).isEqualTo(now + 100);
    assertThat(bulkhead.ask(now + 100)).isEqualTo(CircuitBreaker.Permit.GO);
    bulkhead.holdBack(now + 100);
    long dayBack = now - 3_600_000L * 24;
    assertThat(bulkhead.blockedUntil(dayBack)).as("the clock was set back").isZero();
    assertThat(bulkhead.ask(dayBack)).isEqualTo(CircuitBreaker.Permit.GO);
  }

  @Test
  void standing_hasTheLastError_untilASuccess() {
    PartnerBulkhead bulkhead =
        new PartnerBulkhead(
            new PartnerBulkhead.Key(OutboxReader.SHOP, "s"), () -> RelayNode.CONFIG);
    bulkhead.note(
        CircuitBreaker.Permit.GO, "d", WebhookOutcome.none("cannot connect"), Orders.BEGIN);
    assertThat(bulkhead.standing().error()).isEqualTo("cannot connect");
    assertThat(bulkhead.standing().errorAtMillis()).isEqualTo(Orders.BEGIN);
    bulkhead.note(CircuitBreaker.Permit.GO, "d", new WebhookOutcome(200, "", 0), Orders.BEGIN);
    assertThat(bulkhead.standing().error()).isNull();
  }

  @Test
  void flight_thatHasEnded_cannotBeginAgainFromAnOldPage() {
    InFlightWebhooks inFlight = new InFlightWebhooks();
    InFlightWebhooks.Key key =
        new InFlightWebhooks.Key(OutboxReader.SHOP, orders.delivery("s", null).id());
    inFlight.look(OutboxReader.SHOP, key.shard());
    assertThat(inFlight.begin(key)).isTrue();
    assertThat(inFlight.begin(key)).as("twice at a time").isFalse();
    assertThat(inFlight.of(key.shard())).isEqualTo(1);
    inFlight.end(key);
    assertThat(inFlight.begin(key)).as("of a page from before its end").isFalse();
    inFlight.look(OutboxReader.AGENCY, key.shard());
    assertThat(inFlight.begin(key)).as("another reader's look").isFalse();
    inFlight.look(OutboxReader.SHOP, key.shard());
    assertThat(inFlight.begin(key)).isTrue();
    inFlight.end(key);
    assertThat(inFlight.size()).isZero();
    assertThat(inFlight.of(key.shard())).isZero();
  }
}

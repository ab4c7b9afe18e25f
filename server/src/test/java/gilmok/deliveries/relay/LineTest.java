package gilmok.deliveries.relay;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.config.Settings;
import gilmok.deliveries.Outbox.Due;
import gilmok.deliveries.Outbox.Reader;
import gilmok.deliveries.relay.Line.Offer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** A partner's bulkhead, and which deliveries are on their way. */
class LineTest {
  private final Orders orders = new Orders(1);

  @Test
  void offer_hasEightPlaces_thenAShortQueue_thenNoRoom() {
    Line line = new Line(new Line.Key(Reader.SHOP, "s"), () -> RelayNode.CONFIG);
    List<Offer> offers = new ArrayList<>();
    List<Due> all = new ArrayList<>();
    for (int i = 0; i < 45; i++) {
      all.add(new Due(orders.delivery("s", null), Reader.SHOP, 0, 0, 0));
      offers.add(line.offer(all.getLast()));
    }
    assertThat(offers.subList(0, 8)).containsOnly(Offer.BEGIN);
    assertThat(offers.subList(8, 40)).containsOnly(Offer.WAITS);
    assertThat(offers.subList(40, 45)).containsOnly(Offer.FULL);
    assertThat(line.next()).isEqualTo(all.get(8));
    assertThat(line.offer(all.get(40))).isEqualTo(Offer.WAITS);
    assertThat(line.giveUp()).hasSize(32);
    for (int i = 0; i < 7; i++) {
      assertThat(line.next()).isNull();
    }
    assertThat(line.standing().telling()).isZero();
    assertThat(line.offer(all.getFirst())).isEqualTo(Offer.BEGIN);
  }

  @Test
  void concurrency_thatChanges_isFollowedBothWays() {
    RelayConfig few = RelayConfig.from(new Settings(Map.of("relay.concurrency-max", "2")));
    AtomicReference<RelayConfig> config = new AtomicReference<>(RelayNode.CONFIG);
    Line line = new Line(new Line.Key(Reader.SHOP, "s"), config::get);
    Due due = new Due(orders.delivery("s", null), Reader.SHOP, 0, 0, 0);
    for (int i = 0; i < 9; i++) {
      line.offer(due);
    }
    assertThat(line.standing()).extracting("telling", "waiting").containsExactly(8, 1);
    config.set(few);
    for (int i = 0; i < 6; i++) {
      assertThat(line.next()).as("one fewer at a time").isNull();
    }
    assertThat(line.next()).as("the two that are left go on").isEqualTo(due);
    assertThat(line.standing()).extracting("telling", "waiting").containsExactly(2, 0);
    assertThat(line.offer(due)).isEqualTo(Offer.WAITS);
    config.set(RelayNode.CONFIG);
    assertThat(line.offer(due)).isEqualTo(Offer.BEGIN);
  }

  @Test
  void ask_whileHeldBack_isRefused() {
    Line line = new Line(new Line.Key(Reader.SHOP, "s"), () -> RelayNode.CONFIG);
    long now = Orders.BEGIN;
    line.holdBack(now + 100);
    line.holdBack(now + 50);
    assertThat(line.ask(now + 99)).isEqualTo(Breaker.Permit.REFUSED);
    assertThat(line.blockedUntil(now)).isEqualTo(now + 100);
    assertThat(line.ask(now + 100)).isEqualTo(Breaker.Permit.GO);
    line.holdBack(now + 100);
    long dayBack = now - 3_600_000L * 24;
    assertThat(line.blockedUntil(dayBack)).as("the clock was set back").isZero();
    assertThat(line.ask(dayBack)).isEqualTo(Breaker.Permit.GO);
  }

  @Test
  void standing_hasTheLastError_untilASuccess() {
    Line line = new Line(new Line.Key(Reader.SHOP, "s"), () -> RelayNode.CONFIG);
    line.note(Breaker.Permit.GO, Outcome.none("cannot connect"), Orders.BEGIN);
    assertThat(line.standing().error()).isEqualTo("cannot connect");
    assertThat(line.standing().errorAtMillis()).isEqualTo(Orders.BEGIN);
    line.note(Breaker.Permit.GO, new Outcome(200, "", 0), Orders.BEGIN);
    assertThat(line.standing().error()).isNull();
  }

  @Test
  void flight_thatHasEnded_cannotBeginAgainFromAnOldPage() {
    Flights flights = new Flights();
    Flights.Key key = new Flights.Key(Reader.SHOP, orders.delivery("s", null).id());
    flights.look(Reader.SHOP, key.shard());
    assertThat(flights.begin(key)).isTrue();
    assertThat(flights.begin(key)).as("twice at a time").isFalse();
    assertThat(flights.of(key.shard())).isEqualTo(1);
    flights.end(key);
    assertThat(flights.begin(key)).as("of a page from before its end").isFalse();
    flights.look(Reader.AGENCY, key.shard());
    assertThat(flights.begin(key)).as("another reader's look").isFalse();
    flights.look(Reader.SHOP, key.shard());
    assertThat(flights.begin(key)).isTrue();
    flights.end(key);
    assertThat(flights.size()).isZero();
    assertThat(flights.of(key.shard())).isZero();
  }
}

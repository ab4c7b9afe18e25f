package gilmok.deliveries;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.background.BackgroundLoops;
import gilmok.event.DedupKey;
import gilmok.http.Offloads;
import gilmok.log.Log;
import gilmok.log.LogConfig;
import gilmok.log.LogContext;
import gilmok.log.LogMeter;
import gilmok.log.RecordKeys;
import gilmok.log.Stream;
import gilmok.observe.Meters;
import gilmok.storage.FileDisk;
import gilmok.storage.NodeId;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The log is given more deliveries than it accepts at once. */
@Tag("unit")
@SuppressWarnings("NullAway.Init") // begin() is called before each test
final class OutboxPublisherTest {
  private static final int GROUP_BYTES_MAX = 1 << 16;
  private static final LogConfig SMALL =
      new LogConfig(
          1 << 20,
          GROUP_BYTES_MAX,
          200,
          10L << 20,
          Duration.ofDays(1),
          50_000,
          Duration.ofSeconds(1));

  @TempDir Path folder;
  private final Day day = new Day();
  private final Meters meters = new Meters();
  private final Offloads offloads = new Offloads(meters);
  private final AtomicBoolean blind = new AtomicBoolean();
  private SqliteRig rig;
  private Log log;
  private DeliveryMeters shown;
  private OutboxPublisher teller;

  @BeforeEach
  void begin() throws Exception {
    rig = new SqliteRig(folder, day);
    log =
        Log.open(
            SMALL,
            new LogContext(
                new FileDisk(),
                day,
                new Random(1),
                keys(),
                LogMeter.NONE,
                failure -> {
                  throw new AssertionError(failure);
                }),
            folder,
            new NodeId(7));
    shown = new DeliveryMeters(meters);
    teller = publisher();
  }

  private OutboxPublisher publisher() {
    return new OutboxPublisher(
        poorSighted(rig.outbox()),
        shown,
        new DeliveriesContext(
            log,
            keys(),
            meters,
            offloads,
            day,
            new BackgroundLoops(_ -> {}, Duration.ofDays(1)),
            rig.unreadable(),
            () -> new Random(1),
            _ -> true));
  }

  /** The outbox; a poll finds nothing while it is blind. */
  private Outbox poorSighted(Outbox outbox) {
    return (Outbox)
        Proxy.newProxyInstance(
            Outbox.class.getClassLoader(),
            new Class<?>[] {Outbox.class},
            (_, method, arguments) ->
                blind.get() && method.getName().equals("due")
                    ? List.of()
                    : method.invoke(outbox, arguments));
  }

  @AfterEach
  void end() throws Exception {
    offloads.close();
    log.close();
    rig.close();
    meters.close();
  }

  private static RecordKeys keys() {
    DedupKey repeat = new DedupKey(new byte[DedupKey.SECRET_BYTES]);
    return (stream, bytes, offset, length, key) -> {
      repeat.hash(stream.code(), bytes, offset, length);
      key[0] = repeat.high();
      key[1] = repeat.low();
    };
  }

  @Test
  void moreThanTheLogTakesAtOnce_goesInPieces_andTheOthersGo() throws Exception {
    Delivery large = day.created(rig.deliveries(), day.delivery());
    large = day.moved(rig.deliveries(), large.id(), day.move(Step.ACCEPT));
    for (int i = 0; i < 100; i++) {
      large =
          day.moved(rig.deliveries(), large.id(), day.assign("rider-1"), day.move(Step.UNASSIGN));
    }
    day.pass(1_000);
    Delivery other = day.created(rig.deliveries(), day.delivery());

    teller.pass();

    assertThat(log.accepted().of(Stream.DELIVERIES))
        .isEqualTo(large.events().size() + other.events().size());
    assertThat(rig.outbox().due(OutboxReader.LOG, Shards.ALL, day.millis(), 10)).isEmpty();
  }

  @Test
  void eventThatTheLogNeverTakes_isPutOffByName_andTheOthersGo() throws Exception {
    DeliveryOrder order = Day.order("large", Day.SHOP, Day.AGENCY);
    DeliveryOrder larger =
        new DeliveryOrder(
            order.orderId(),
            order.shopId(),
            order.agencyId(),
            order.customerId(),
            order.pickup(),
            order.dropoff(),
            new OrderTerms(
                order.terms().fee(),
                order.terms().currency(),
                order.terms().readyAtMillis(),
                order.terms().dueByMillis(),
                "x".repeat(GROUP_BYTES_MAX)));
    day.created(rig.deliveries(), day.of(larger));
    day.pass(1_000);
    day.created(rig.deliveries(), day.delivery());

    teller.pass();

    assertThat(log.accepted().of(Stream.DELIVERIES)).isEqualTo(1);
    assertThat(rig.metric("gilmok_outbox_unreadable_total{reader=\"log\"}")).isEqualTo(1);
    assertThat(rig.outbox().due(OutboxReader.LOG, Shards.ALL, day.millis(), 10)).isEmpty();
    assertThat(
            rig.outbox()
                .due(
                    OutboxReader.LOG,
                    Shards.ALL,
                    day.millis() + UnreadableDeliveries.PUT_OFF_MILLIS,
                    10))
        .hasSize(1);
  }

  @Test
  void whatThisNodeChanges_isPublishedWithoutAPoll_eachEventOnce() throws Exception {
    blind.set(true);
    Delivery delivery = day.created(rig.deliveries(), day.delivery());
    teller.changed(delivery);
    Delivery accepted = day.moved(rig.deliveries(), delivery.id(), day.move(Step.ACCEPT));
    teller.changed(accepted);
    teller.pass();
    Delivery assigned = day.moved(rig.deliveries(), delivery.id(), day.assign("rider-1"));
    Delivery pickedUp = day.moved(rig.deliveries(), delivery.id(), day.move(Step.PICK_UP));
    teller.changed(pickedUp);
    teller.changed(assigned); // its thread was slower
    teller.pass();

    assertThat(log.accepted().of(Stream.DELIVERIES)).isEqualTo(pickedUp.events().size());
    assertThat(rig.outbox().due(OutboxReader.LOG, Shards.ALL, day.millis(), 10)).isEmpty();

    OutboxPublisher another = publisher();
    another.changed(day.moved(rig.deliveries(), delivery.id(), day.move(Step.COMPLETE)));
    another.pass();

    // It does not know how far the first has come, and finds nothing that says so.
    assertThat(log.accepted().of(Stream.DELIVERIES)).isEqualTo(pickedUp.events().size());
  }

  @Test
  void whatAnotherNodeHasPublishedInPart_isPolled_andGoesOnFromThere() throws Exception {
    Delivery delivery = day.created(rig.deliveries(), day.delivery());
    teller.pass();
    OutboxPublisher later = publisher();
    later.pass();
    Delivery accepted = day.moved(rig.deliveries(), delivery.id(), day.move(Step.ACCEPT));
    later.changed(accepted);
    later.pass();

    assertThat(log.accepted().of(Stream.DELIVERIES)).isEqualTo(accepted.events().size());
  }

  @Test
  void moreThanTheirRoom_isPolled() throws Exception {
    ChangedDeliveries changed = new ChangedDeliveries();
    for (int i = 0; i < ChangedDeliveries.CHANGED_MAX; i++) {
      assertThat(changed.add(day.delivery())).isTrue();
    }
    assertThat(changed.add(day.delivery())).isFalse();
    assertThat(changed.take(10)).hasSize(10);
    assertThat(changed.size()).isEqualTo(ChangedDeliveries.CHANGED_MAX - 10);
    assertThat(changed.add(day.delivery())).isTrue();
  }

  /** Its loop would sleep for a day, and nobody hints: only the commits can have woken it. */
  @Test
  void nothingPending_sleeps_untilSomethingIsWritten() throws Exception {
    teller.loop.start();
    await(teller.watch::isQuiet);
    day.created(rig.deliveries(), day.delivery());
    await(() -> log.accepted().of(Stream.DELIVERIES) == 1);
    await(teller.watch::isQuiet);
    teller.loop.stop(Duration.ofSeconds(10));
  }

  private static void await(BooleanSupplier condition) {
    long end = System.nanoTime() + 20_000_000_000L;
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime() - end).as("waited in vain").isNegative();
      LockSupport.parkNanos(1_000_000);
    }
  }
}

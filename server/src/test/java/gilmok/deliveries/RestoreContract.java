package gilmok.deliveries;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The contract of deliveries of the past, whatever stores them. */
abstract class RestoreContract {
  final Day day = new Day();
  private StoreRig rig;
  private DeliveryStore store;

  /** Empty stores that read this clock. */
  abstract StoreRig open(InstantSource clock) throws IOException, InterruptedException;

  @BeforeEach
  final void begin() throws IOException, InterruptedException {
    rig = open(day);
    store = rig.deliveries();
  }

  @AfterEach
  final void end() throws IOException {
    rig.close();
  }

  /** A delivery after those moves, as it would be stored. */
  private Delivery past(Move... moves) {
    Delivery past = day.delivery();
    for (Move move : moves) {
      day.pass(60_000);
      past =
          switch (Lifecycle.move(past, move, day.millis())) {
            case Decision.Allowed(Delivery next) -> next;
            case Decision.Denied denied -> throw new AssertionError(denied);
          };
    }
    return past;
  }

  private int due() throws Exception {
    int due = 0;
    for (OutboxReader reader : OutboxReader.values()) {
      due += rig.outbox().due(reader, Shards.ALL, day.millis() + 3_600_000, 100).size();
    }
    return due;
  }

  @Test
  void restored_isThereAsItWas_andNobodyIsToldOfIt() throws Exception {
    Delivery done =
        past(
            day.move(Step.ACCEPT),
            day.assign("rider-9"),
            day.assign(Day.RIDER),
            day.move(Step.PICK_UP),
            day.move(Step.COMPLETE));
    Delivery cancelled = past(day.move(Step.ACCEPT), day.move(Step.CANCEL));
    assertThat(store.restore(List.of(done, cancelled)))
        .containsExactly(Optional.empty(), Optional.empty());
    assertThat(store.find(done.id())).isEqualTo(done);
    assertThat(store.find(cancelled.id())).isEqualTo(cancelled);
    assertThat(due()).isZero();
    assertThat(store.after("", 10)).containsExactly(done, cancelled);
    assertThat(store.after("", 1)).containsExactly(done);
    assertThat(store.after(done.id(), 10)).containsExactly(cancelled);
    assertThat(store.after(cancelled.id(), 10)).isEmpty();
  }

  @Test
  void restoredAgain_whatIsThereStays() throws Exception {
    Delivery first = past(day.move(Step.ACCEPT));
    Delivery sameOrder = day.of(first.order());
    assertThat(store.restore(List.of(first, first, sameOrder)))
        .containsExactly(Optional.empty(), Optional.of(first), Optional.of(first));
    assertThat(store.find(sameOrder.id())).isNull();
    day.moved(store, first.id(), day.assign(Day.RIDER));
    Optional<Delivery> there = store.restore(List.of(first)).getFirst();
    assertThat(there.map(Delivery::status)).contains(Status.ASSIGNED);
  }

  @Test
  void restoredOpen_goesOn_andItsLaterEventsAreTold() throws Exception {
    Delivery open = past(day.move(Step.ACCEPT), day.assign(Day.RIDER));
    assertThat(store.restore(List.of(open))).containsExactly(Optional.empty());
    day.moved(store, open.id(), day.move(Step.PICK_UP));
    List<Outbox.Due> told =
        rig.outbox().due(OutboxReader.LOG, Shards.ALL, day.millis() + 3_600_000, 100);
    assertThat(told).hasSize(1);
    assertThat(told.getFirst().told()).as("those before are settled").isEqualTo(3);
    assertThat(told.getFirst().delivery().version()).isEqualTo(4);
  }
}

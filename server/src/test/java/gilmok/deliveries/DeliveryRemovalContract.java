package gilmok.deliveries;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.retention.DocumentRemoval;
import gilmok.retention.RemovalPlan;
import gilmok.retention.RemovalPlans;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The contract of taking deliveries out of a store, whatever stores them. */
abstract class DeliveryRemovalContract extends OutboxCase {
  private static final long END = Long.MAX_VALUE / 2;

  /** A completed delivery of which everybody was told. */
  private Delivery done() throws Exception {
    Delivery first = day.created(store, day.delivery());
    Delivery last =
        day.moved(
            store,
            first.id(),
            day.move(Step.ACCEPT),
            day.assign(Day.RIDER),
            day.move(Step.PICK_UP),
            day.move(Step.COMPLETE));
    for (OutboxReader reader : OutboxReader.values()) {
      told(last, reader, last.version());
    }
    day.pass(1_000);
    return last;
  }

  private StoredDelivery stored(Delivery delivery) throws Exception {
    return rig.removal().find(List.of(delivery.id())).getFirst();
  }

  private RemovalPlan.Row row(Delivery delivery) throws Exception {
    return new RemovalPlan.Row(delivery.id(), stored(delivery).revision());
  }

  private int remove(RemovalPlan.Row... rows) throws Exception {
    return rig.removal().remove(List.of(rows));
  }

  @Test
  void page_hasAllInTheRangeById_andSaysWhereItEnds() throws Exception {
    Delivery one = done();
    Delivery open = day.created(store, day.delivery());
    day.pass(1_000);
    Delivery damaged = done();
    Delivery last = done();
    rig.damage(damaged.id());
    DocumentRemoval.Page<StoredDelivery> all = rig.removal().page("", END, 100);
    assertThat(all.rows()).extracting(StoredDelivery::delivery).containsExactly(one, open, last);
    assertThat(all.rows()).extracting(StoredDelivery::isTold).containsExactly(true, false, true);
    assertThat(all.unreadable()).isOne();
    assertThat(all.last()).isEqualTo(last.id());
    long before = DeliveryId.millis(last.id());
    assertThat(rig.removal().page(one.id(), before, 1).rows())
        .extracting(StoredDelivery::delivery)
        .containsExactly(open);
    assertThat(rig.removal().page(last.id(), END, 100))
        .isEqualTo(new DocumentRemoval.Page<>(List.of(), 0, null));
  }

  @Test
  void removed_isNowhere_andTheOthersAreAsTheyWere() throws Exception {
    Delivery one = done();
    Delivery other = done();
    assertThat(remove(row(one))).isOne();
    assertThat(store.find(one.id())).isNull();
    assertThat(store.move(one.id(), day.move(Step.CANCEL)))
        .as("also where it was remembered")
        .isInstanceOf(DeliveryStore.Moving.Unknown.class);
    assertThat(store.after("", 10)).containsExactly(other);
    assertThat(
            store.list(
                new DeliveryStore.Filter(null, Day.RIDER, Day.SHOP, null, null, null), null, 10))
        .containsExactly(other);
    assertThat(outbox.webhooks().replay(OutboxReader.SHOP, Day.SHOP, 0))
        .as("only what is there is told again")
        .isOne();
    assertThat(due(OutboxReader.SHOP)).extracting(Outbox.Due::delivery).containsExactly(other);
    assertThat(remove(new RemovalPlan.Row(one.id(), 1))).as("once more").isZero();
    Delivery again = day.of(one.order());
    assertThat(day.created(store, again)).as("its order's id is free").isEqualTo(again);
  }

  @Test
  void changedSinceItWasArchived_stays() throws Exception {
    Delivery one = done();
    RemovalPlan.Row archived = row(one);
    store.act(one.id(), day.action(Step.PICK_UP, "late"));
    assertThat(store.find(one.id())).isNotEqualTo(one);
    assertThat(remove(archived)).isZero();
    assertThat(remove(row(one))).isOne();
  }

  @Test
  void somebodyIsStillToBeTold_stays() throws Exception {
    Delivery one = done();
    RemovalPlan.Row archived = row(one);
    assertThat(outbox.webhooks().replay(OutboxReader.SHOP, Day.SHOP, 0)).isOne();
    assertThat(stored(one).isTold()).isFalse();
    assertThat(remove(archived)).isZero();
    told(one, OutboxReader.SHOP, one.version());
    assertThat(remove(archived)).isOne();
  }

  @Test
  void withoutAnAgency_nobodyWaitsForIt() throws Exception {
    Delivery first = day.created(store, day.delivery(Day.SHOP, null));
    Delivery last = day.moved(store, first.id(), day.move(Step.CANCEL));
    told(last, OutboxReader.LOG, 2);
    told(last, OutboxReader.SHOP, 2);
    assertThat(stored(last).isTold()).isTrue();
    assertThat(remove(row(last))).isOne();
  }

  @Test
  void whatIsStored_hasTheWebhooksAttemptsAndDeadLetters() throws Exception {
    Delivery one = day.created(store, day.delivery());
    WebhookAttempt failed = new WebhookAttempt(1, day.millis(), 503, 7, "status 503");
    outbox.setAside(one.id(), OutboxReader.SHOP, 1, "gone", failed);
    Delivery last = day.moved(store, one.id(), day.move(Step.CANCEL));
    WebhookAttempt sent = new WebhookAttempt(2, day.millis(), 200, 9, null);
    outbox.delivered(one.id(), OutboxReader.SHOP, sent);
    told(last, OutboxReader.LOG, 2);
    told(last, OutboxReader.AGENCY, 2);
    StoredDelivery stored = stored(last);
    assertThat(stored.shop())
        .isEqualTo(
            new RelayProgress(
                2,
                List.of(failed, sent),
                List.of(new RelayProgress.DeadLetter(1, 1, "gone", day.millis()))));
    assertThat(stored.relays().toString())
        .contains("\"deadLetters\":[{\"sequence\":1,\"attempts\":1", "\"error\":\"gone\"}]");
    assertThat(stored.record().toString()).contains("\"events\":[", "\"status\":\"CANCELLED\"");
    assertThat(remove(row(last))).isOne();
    assertThat(
            outbox
                .webhooks()
                .page(
                    new Partner(
                        Day.SHOP,
                        OutboxReader.SHOP,
                        "http://127.0.0.1/",
                        List.of("s"),
                        List.of("*"),
                        0),
                    WebhookState.State.SET_ASIDE,
                    null,
                    10)
                .states())
        .isEmpty();
  }

  @Test
  void plan_isKeptUntilItIsForgotten_andOnlyAnArchivedOneSaysHowFarWasRemoved() throws Exception {
    DeliveryRemoval of = rig.removal();
    RemovalPlans removal = of.plans();
    assertThat(removal.lead("n1", day.millis(), day.millis() + 60_000)).isTrue();
    assertThat(removal.plan()).isNull();
    assertThat(store.removedTo()).isEmpty();
    List<RemovalPlan.Row> rows =
        Stream.of(done(), done()).map(one -> new RemovalPlan.Row(one.id(), 7)).toList();
    RemovalPlan plan = RemovalPlan.of("a-b", rows);
    removal.put(plan, of.removedTo(plan, 0));
    assertThat(removal.plan()).isEqualTo(plan);
    assertThat(store.removedTo()).isEmpty();
    RemovalPlan archived = new RemovalPlan(plan.name(), true, rows);
    removal.put(archived, of.removedTo(archived, 0));
    assertThat(rig.removal().plans().plan()).isEqualTo(archived);
    assertThat(store.removedTo()).isEqualTo(plan.last());
    removal.forget();
    assertThat(removal.plan()).isNull();
    RemovalPlan earlier = new RemovalPlan("again", true, rows.subList(0, 1));
    removal.put(earlier, of.removedTo(earlier, 0));
    assertThat(store.removedTo()).as("never less").isEqualTo(plan.last());
    assertThat(Objects.requireNonNull(removal.plan()).name()).isEqualTo("again");
  }
}

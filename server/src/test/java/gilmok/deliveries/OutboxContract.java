package gilmok.deliveries;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.deliveries.DeliveryStore.Wish;
import gilmok.deliveries.Outbox.Due;
import gilmok.deliveries.Outbox.Told;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What the outbox promises, whatever keeps it. */
abstract class OutboxContract extends OutboxCase {
  @Test
  void due_afterCreation_forEveryReader() throws Exception {
    Delivery first = day.created(store, day.delivery());
    for (OutboxReader reader : OutboxReader.values()) {
      assertThat(due(reader)).containsExactly(new Due(first, reader, 0, 0, 0));
    }
  }

  @Test
  void due_afterEachMove_hasTheDeliveryAndHowFarTheReaderIs() throws Exception {
    Delivery first = day.created(store, day.delivery());
    told(first, OutboxReader.LOG, 1);
    assertThat(due(OutboxReader.LOG)).isEmpty();
    Delivery moved = day.moved(store, first.id(), day.move(Step.ACCEPT), day.assign(Day.RIDER));
    assertThat(due(OutboxReader.LOG)).containsExactly(new Due(moved, OutboxReader.LOG, 1, 0, 0));
    assertThat(due(OutboxReader.SHOP)).containsExactly(new Due(moved, OutboxReader.SHOP, 0, 0, 0));
    told(first, OutboxReader.LOG, 2);
    assertThat(due(OutboxReader.LOG)).containsExactly(new Due(moved, OutboxReader.LOG, 2, 0, 0));
    told(first, OutboxReader.LOG, 3);
    assertThat(due(OutboxReader.LOG)).isEmpty();
  }

  @Test
  void due_withoutAnAgency_isForNoAgencyUntilOneTakesIt() throws Exception {
    Delivery first = day.created(store, day.delivery(Day.SHOP, null));
    assertThat(due(OutboxReader.AGENCY)).isEmpty();
    assertThat(due(OutboxReader.SHOP)).hasSize(1);
    Delivery taken =
        day.moved(
            store, first.id(), day.bound(Step.ACCEPT, gilmok.auth.Binding.Kind.AGENCY, Day.AGENCY));
    assertThat(due(OutboxReader.AGENCY))
        .containsExactly(new Due(taken, OutboxReader.AGENCY, 0, 0, 0));
  }

  @Test
  void due_oneCannotBeRead_theOthersAreThere_andItIsPutOffAndCounted() throws Exception {
    Delivery damaged = day.created(store, day.delivery());
    Delivery sound = day.created(store, day.delivery());
    rig.damage(damaged.id());
    for (OutboxReader reader : OutboxReader.values()) {
      assertThat(due(reader)).containsExactly(new Due(sound, reader, 0, 0, 0));
      // The damaged one is put off durably: a restarted server does not find it too early either.
      assertThat(due(reader)).containsExactly(new Due(sound, reader, 0, 0, 0));
      String name = reader.name().toLowerCase(Locale.ROOT);
      assertThat(rig.metric("gilmok_outbox_unreadable_total{reader=\"" + name + "\"}"))
          .isEqualTo(1);
    }
  }

  @Test
  void bringForward_dueLaterThanCanBe_isDueNow_whatIsPutOffRightlyIsNot() throws Exception {
    Delivery rightly = day.created(store, day.delivery());
    Delivery wrongly = day.created(store, day.delivery());
    long now = day.millis();
    for (OutboxReader reader : OutboxReader.values()) {
      outbox.failed(rightly.id(), reader, 1, now + 60_000, "no answer", null);
      outbox.failed(wrongly.id(), reader, 1, now + 3_600_000, "no answer", null);
    }
    day.pass(3_600_000);
    Delivery fresh = day.created(store, day.delivery());
    day.pass(-3_600_000);
    for (OutboxReader reader : OutboxReader.values()) {
      assertThat(due(reader)).isEmpty();
      outbox.bringForward(reader, Shards.ALL, day.millis(), 120_000);
      assertThat(due(reader))
          .extracting(due -> due.delivery().id())
          .containsExactlyInAnyOrder(wrongly.id(), fresh.id());
    }
  }

  @Test
  void due_ofAnotherShard_isNotThere() throws Exception {
    for (int i = 0; i < 40; i++) {
      day.created(store, day.delivery());
    }
    for (int shard = 0; shard < DeliveryId.SHARDS; shard++) {
      int wanted = shard;
      assertThat(outbox.due(OutboxReader.SHOP, Shards.of(shard), day.millis(), 1_000))
          .allMatch(one -> DeliveryId.shard(one.delivery().id()) == wanted);
    }
    assertThat(due(OutboxReader.SHOP)).hasSize(40);
  }

  @Test
  void due_ofSomeShards_isAllOfThoseOrAsMuchAsThereIsRoomFor() throws Exception {
    List<Delivery> all = new ArrayList<>();
    for (int i = 0; i < 60; i++) {
      all.add(day.created(store, day.delivery()));
    }
    Shards some = new Shards(0).with(0).with(63);
    for (int i = 0; i < 30; i++) {
      some = some.with(DeliveryId.shard(all.get(i).id()));
    }
    Shards wanted = some;
    List<String> expected =
        all.stream()
            .map(Delivery::id)
            .filter(id -> wanted.has(DeliveryId.shard(id)))
            .sorted()
            .toList();
    assertThat(outbox.due(OutboxReader.SHOP, wanted, day.millis(), 1_000))
        .extracting(one -> one.delivery().id())
        .containsExactlyInAnyOrderElementsOf(expected);
    assertThat(outbox.due(OutboxReader.SHOP, wanted, day.millis(), 7))
        .hasSize(7)
        .extracting(one -> one.delivery().id())
        .isSubsetOf(expected)
        .doesNotHaveDuplicates();
    assertThat(outbox.due(OutboxReader.SHOP, Shards.ALL, day.millis(), 1_000)).hasSize(60);
  }

  @Test
  void due_theLongestWaitingFirst_upToTheLimit() throws Exception {
    List<Delivery> all = ofOneShard(5);
    int shard = DeliveryId.shard(all.getFirst().id());
    for (Delivery one : all) {
      told(one, OutboxReader.SHOP, 1);
    }
    List<String> order = new ArrayList<>();
    for (int i : new int[] {3, 0, 4, 1, 2}) {
      day.pass(10);
      day.moved(store, all.get(i).id(), day.move(Step.ACCEPT));
      order.add(all.get(i).id());
    }
    day.pass(10);
    day.moved(store, order.getFirst(), day.assign(Day.RIDER));
    assertThat(outbox.due(OutboxReader.SHOP, Shards.of(shard), day.millis(), 3))
        .extracting(one -> one.delivery().id())
        .containsExactlyElementsOf(order.subList(0, 3));
    assertThat(outbox.due(OutboxReader.SHOP, Shards.of(shard), day.millis(), 1_000))
        .extracting(one -> one.delivery().id())
        .containsExactlyElementsOf(order);
  }

  @Test
  void due_ofWhatDidNotHappen_isNotThere() throws Exception {
    Delivery first = day.created(store, day.delivery());
    told(first, OutboxReader.LOG, 1);
    store.move(first.id(), day.move(Step.COMPLETE));
    store.act(first.id(), day.action(Step.PICK_UP, "n:1"));
    store.create(List.of(Day.wish(day.of(first.order()))));
    assertThat(due(OutboxReader.LOG)).isEmpty();
    Delivery after = day.moved(store, first.id(), day.move(Step.ACCEPT), day.assign(Day.RIDER));
    assertThat(due(OutboxReader.LOG)).containsExactly(new Due(after, OutboxReader.LOG, 1, 0, 0));
    assertThat(after.version()).as("with what waited").isEqualTo(4);
  }

  @Test
  void due_afterALateAction_isNotThere() throws Exception {
    Delivery first = day.created(store, day.delivery());
    day.moved(store, first.id(), day.move(Step.ACCEPT), day.assign(Day.RIDER));
    store.act(first.id(), day.action(Step.PICK_UP, "n:1"));
    told(first, OutboxReader.LOG, 4);
    store.act(first.id(), day.action(Step.PICK_UP, "n:2"));
    assertThat(due(OutboxReader.LOG)).isEmpty();
  }

  @Test
  void told_neverGoesBackNorBeyondWhatHappened() throws Exception {
    Delivery first = day.created(store, day.delivery());
    Delivery moved = day.moved(store, first.id(), day.move(Step.ACCEPT), day.assign(Day.RIDER));
    outbox.told(
        List.of(
            new Told(first.id(), OutboxReader.SHOP, 2),
            new Told(first.id(), OutboxReader.SHOP, 1),
            new Told(day.delivery().id(), OutboxReader.SHOP, 1)));
    assertThat(due(OutboxReader.SHOP)).containsExactly(new Due(moved, OutboxReader.SHOP, 2, 0, 0));
    told(first, OutboxReader.SHOP, 99);
    assertThat(due(OutboxReader.SHOP)).isEmpty();
    Delivery last = day.moved(store, first.id(), day.move(Step.PICK_UP));
    assertThat(due(OutboxReader.SHOP)).containsExactly(new Due(last, OutboxReader.SHOP, 3, 0, 0));
    outbox.told(List.of());
  }

  @Test
  void failed_isDueAgainThenAndNotBefore_alsoWhenItMoves() throws Exception {
    Delivery first = day.created(store, day.delivery());
    long failedAt = day.millis();
    outbox.failed(first.id(), OutboxReader.SHOP, 1, failedAt + 500, "refused", null);
    assertThat(due(OutboxReader.SHOP)).isEmpty();
    assertThat(due(OutboxReader.LOG)).as("the others go on").hasSize(1);
    Delivery moved = day.moved(store, first.id(), day.move(Step.ACCEPT));
    day.pass(499);
    assertThat(due(OutboxReader.SHOP)).isEmpty();
    day.pass(1);
    assertThat(due(OutboxReader.SHOP))
        .containsExactly(new Due(moved, OutboxReader.SHOP, 0, 1, failedAt));
    outbox.failed(first.id(), OutboxReader.SHOP, 2, day.millis() + 1_000, "refused again", null);
    day.pass(1_000);
    assertThat(due(OutboxReader.SHOP))
        .as("since when stays")
        .containsExactly(new Due(moved, OutboxReader.SHOP, 0, 2, failedAt));
    told(first, OutboxReader.SHOP, 1);
    assertThat(due(OutboxReader.SHOP)).containsExactly(new Due(moved, OutboxReader.SHOP, 1, 0, 0));
  }

  @Test
  void told_whileItWaitsToTryAgain_isDueAtOnceIfThereIsMore() throws Exception {
    Delivery first = day.created(store, day.delivery());
    Delivery moved = day.moved(store, first.id(), day.move(Step.ACCEPT));
    outbox.failed(first.id(), OutboxReader.SHOP, 9, day.millis() + 3_600_000, "refused", null);
    told(first, OutboxReader.SHOP, 1);
    assertThat(due(OutboxReader.SHOP)).containsExactly(new Due(moved, OutboxReader.SHOP, 1, 0, 0));
  }

  @Test
  void told_ofManyAtOnce() throws Exception {
    List<Delivery> all = IntStream.range(0, 300).mapToObj(_ -> day.delivery()).toList();
    store.create(all.stream().map(one -> new Wish(one, null)).toList());
    outbox.told(all.stream().map(one -> new Told(one.id(), OutboxReader.LOG, 1)).toList());
    assertThat(due(OutboxReader.LOG)).isEmpty();
    assertThat(due(OutboxReader.SHOP)).hasSize(300);
  }

  /** Creates that many deliveries, all in the same shard. */
  private List<Delivery> ofOneShard(int count) throws Exception {
    List<List<Delivery>> shards = new ArrayList<>();
    IntStream.range(0, DeliveryId.SHARDS).forEach(_ -> shards.add(new ArrayList<>()));
    for (int i = 0; i < 64 * count; i++) {
      Delivery one = day.delivery();
      List<Delivery> shard = shards.get(DeliveryId.shard(one.id()));
      shard.add(one);
      if (shard.size() == count) {
        store.create(Arrays.asList(shard.stream().map(Day::wish).toArray(Wish[]::new)));
        return shard;
      }
    }
    throw new AssertionError("shards are not even");
  }
}

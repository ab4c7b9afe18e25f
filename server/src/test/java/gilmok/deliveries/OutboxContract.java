package gilmok.deliveries;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.deliveries.DeliveryStore.Wish;
import gilmok.deliveries.Outbox.Due;
import gilmok.deliveries.Outbox.Reader;
import gilmok.deliveries.Outbox.State;
import gilmok.deliveries.Outbox.Telling;
import gilmok.deliveries.Outbox.Told;
import java.io.IOException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the outbox promises, whatever keeps it. */
abstract class OutboxContract {
  final Day day = new Day();
  StoreRig rig;
  DeliveryStore store;
  Outbox outbox;

  /** Empty stores that read this clock. */
  abstract StoreRig open(InstantSource clock) throws IOException, InterruptedException;

  @BeforeEach
  final void begin() throws IOException, InterruptedException {
    rig = open(day);
    store = rig.deliveries();
    outbox = rig.outbox();
  }

  @AfterEach
  final void end() throws IOException {
    rig.close();
  }

  @Test
  void due_afterCreation_forEveryReader() throws Exception {
    Delivery first = day.created(store, day.delivery());
    for (Reader reader : Reader.values()) {
      assertThat(due(reader)).containsExactly(new Due(first, reader, 0, 0, 0));
    }
  }

  @Test
  void due_afterEachMove_hasTheDeliveryAndHowFarTheReaderIs() throws Exception {
    Delivery first = day.created(store, day.delivery());
    told(first, Reader.LOG, 1);
    assertThat(due(Reader.LOG)).isEmpty();
    Delivery moved = day.moved(store, first.id(), day.move(Step.ACCEPT), day.assign(Day.RIDER));
    assertThat(due(Reader.LOG)).containsExactly(new Due(moved, Reader.LOG, 1, 0, 0));
    assertThat(due(Reader.SHOP)).containsExactly(new Due(moved, Reader.SHOP, 0, 0, 0));
    told(first, Reader.LOG, 2);
    assertThat(due(Reader.LOG)).containsExactly(new Due(moved, Reader.LOG, 2, 0, 0));
    told(first, Reader.LOG, 3);
    assertThat(due(Reader.LOG)).isEmpty();
  }

  @Test
  void due_withoutAnAgency_isForNoAgencyUntilOneTakesIt() throws Exception {
    Delivery first = day.created(store, day.delivery(Day.SHOP, null));
    assertThat(due(Reader.AGENCY)).isEmpty();
    assertThat(due(Reader.SHOP)).hasSize(1);
    Delivery taken =
        day.moved(
            store, first.id(), day.bound(Step.ACCEPT, gilmok.auth.Binding.Kind.AGENCY, Day.AGENCY));
    assertThat(due(Reader.AGENCY)).containsExactly(new Due(taken, Reader.AGENCY, 0, 0, 0));
  }

  @Test
  void due_oneCannotBeRead_theOthersAreThere_andItIsPutOffAndCounted() throws Exception {
    Delivery damaged = day.created(store, day.delivery());
    Delivery sound = day.created(store, day.delivery());
    rig.damage(damaged.id());
    for (Reader reader : Reader.values()) {
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
    for (Reader reader : Reader.values()) {
      outbox.failed(rightly.id(), reader, 1, now + 60_000, "no answer");
      outbox.failed(wrongly.id(), reader, 1, now + 3_600_000, "no answer");
    }
    day.pass(3_600_000);
    Delivery fresh = day.created(store, day.delivery());
    day.pass(-3_600_000);
    for (Reader reader : Reader.values()) {
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
      assertThat(outbox.due(Reader.SHOP, Shards.of(shard), day.millis(), 1_000))
          .allMatch(one -> DeliveryId.shard(one.delivery().id()) == wanted);
    }
    assertThat(due(Reader.SHOP)).hasSize(40);
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
    assertThat(outbox.due(Reader.SHOP, wanted, day.millis(), 1_000))
        .extracting(one -> one.delivery().id())
        .containsExactlyInAnyOrderElementsOf(expected);
    assertThat(outbox.due(Reader.SHOP, wanted, day.millis(), 7))
        .hasSize(7)
        .extracting(one -> one.delivery().id())
        .isSubsetOf(expected)
        .doesNotHaveDuplicates();
    assertThat(outbox.due(Reader.SHOP, Shards.ALL, day.millis(), 1_000)).hasSize(60);
  }

  @Test
  void due_theLongestWaitingFirst_upToTheLimit() throws Exception {
    List<Delivery> all = ofOneShard(5);
    int shard = DeliveryId.shard(all.getFirst().id());
    for (Delivery one : all) {
      told(one, Reader.SHOP, 1);
    }
    List<String> order = new ArrayList<>();
    for (int i : new int[] {3, 0, 4, 1, 2}) {
      day.pass(10);
      day.moved(store, all.get(i).id(), day.move(Step.ACCEPT));
      order.add(all.get(i).id());
    }
    day.pass(10);
    day.moved(store, order.getFirst(), day.assign(Day.RIDER));
    assertThat(outbox.due(Reader.SHOP, Shards.of(shard), day.millis(), 3))
        .extracting(one -> one.delivery().id())
        .containsExactlyElementsOf(order.subList(0, 3));
    assertThat(outbox.due(Reader.SHOP, Shards.of(shard), day.millis(), 1_000))
        .extracting(one -> one.delivery().id())
        .containsExactlyElementsOf(order);
  }

  @Test
  void due_ofWhatDidNotHappen_isNotThere() throws Exception {
    Delivery first = day.created(store, day.delivery());
    told(first, Reader.LOG, 1);
    store.move(first.id(), day.move(Step.COMPLETE));
    store.act(first.id(), day.action(Step.PICK_UP, "n:1"));
    store.create(List.of(Day.wish(day.of(first.order()))));
    assertThat(due(Reader.LOG)).isEmpty();
    Delivery after = day.moved(store, first.id(), day.move(Step.ACCEPT), day.assign(Day.RIDER));
    assertThat(due(Reader.LOG)).containsExactly(new Due(after, Reader.LOG, 1, 0, 0));
    assertThat(after.version()).as("with what waited").isEqualTo(4);
  }

  @Test
  void due_afterALateAction_isNotThere() throws Exception {
    Delivery first = day.created(store, day.delivery());
    day.moved(store, first.id(), day.move(Step.ACCEPT), day.assign(Day.RIDER));
    store.act(first.id(), day.action(Step.PICK_UP, "n:1"));
    told(first, Reader.LOG, 4);
    store.act(first.id(), day.action(Step.PICK_UP, "n:2"));
    assertThat(due(Reader.LOG)).isEmpty();
  }

  @Test
  void told_neverGoesBackNorBeyondWhatHappened() throws Exception {
    Delivery first = day.created(store, day.delivery());
    Delivery moved = day.moved(store, first.id(), day.move(Step.ACCEPT), day.assign(Day.RIDER));
    outbox.told(
        List.of(
            new Told(first.id(), Reader.SHOP, 2),
            new Told(first.id(), Reader.SHOP, 1),
            new Told(day.delivery().id(), Reader.SHOP, 1)));
    assertThat(due(Reader.SHOP)).containsExactly(new Due(moved, Reader.SHOP, 2, 0, 0));
    told(first, Reader.SHOP, 99);
    assertThat(due(Reader.SHOP)).isEmpty();
    Delivery last = day.moved(store, first.id(), day.move(Step.PICK_UP));
    assertThat(due(Reader.SHOP)).containsExactly(new Due(last, Reader.SHOP, 3, 0, 0));
    outbox.told(List.of());
  }

  @Test
  void failed_isDueAgainThenAndNotBefore_alsoWhenItMoves() throws Exception {
    Delivery first = day.created(store, day.delivery());
    long failedAt = day.millis();
    outbox.failed(first.id(), Reader.SHOP, 1, failedAt + 500, "refused");
    assertThat(due(Reader.SHOP)).isEmpty();
    assertThat(due(Reader.LOG)).as("the others go on").hasSize(1);
    Delivery moved = day.moved(store, first.id(), day.move(Step.ACCEPT));
    day.pass(499);
    assertThat(due(Reader.SHOP)).isEmpty();
    day.pass(1);
    assertThat(due(Reader.SHOP)).containsExactly(new Due(moved, Reader.SHOP, 0, 1, failedAt));
    outbox.failed(first.id(), Reader.SHOP, 2, day.millis() + 1_000, "refused again");
    day.pass(1_000);
    assertThat(due(Reader.SHOP))
        .as("since when stays")
        .containsExactly(new Due(moved, Reader.SHOP, 0, 2, failedAt));
    told(first, Reader.SHOP, 1);
    assertThat(due(Reader.SHOP)).containsExactly(new Due(moved, Reader.SHOP, 1, 0, 0));
  }

  @Test
  void told_whileItWaitsToTryAgain_isDueAtOnceIfThereIsMore() throws Exception {
    Delivery first = day.created(store, day.delivery());
    Delivery moved = day.moved(store, first.id(), day.move(Step.ACCEPT));
    outbox.failed(first.id(), Reader.SHOP, 9, day.millis() + 3_600_000, "refused");
    told(first, Reader.SHOP, 1);
    assertThat(due(Reader.SHOP)).containsExactly(new Due(moved, Reader.SHOP, 1, 0, 0));
  }

  @Test
  void setAside_isListedAndTheNextIsDue() throws Exception {
    Delivery first = day.created(store, day.delivery());
    Delivery moved = day.moved(store, first.id(), day.move(Step.ACCEPT));
    outbox.failed(first.id(), Reader.SHOP, 3, day.millis() + 3_600_000, "refused");
    outbox.setAside(first.id(), Reader.SHOP, 1, "gone");
    assertThat(due(Reader.SHOP)).containsExactly(new Due(moved, Reader.SHOP, 1, 0, 0));
    assertThat(tellings(State.SET_ASIDE))
        .containsExactly(
            new Telling(
                first.id(), 1, "delivery.created", State.SET_ASIDE, 4, "gone", day.millis()));
    outbox.setAside(first.id(), Reader.SHOP, 1, "once more");
    assertThat(tellings(State.SET_ASIDE)).extracting(Telling::error).containsExactly("gone");
    assertThat(tellings(State.TOLD)).isEmpty();
    told(first, Reader.SHOP, 2);
    outbox.setAside(first.id(), Reader.SHOP, 2, "told already");
    assertThat(tellings(State.SET_ASIDE)).hasSize(1);
    assertThat(due(Reader.SHOP)).isEmpty();
  }

  @Test
  void tellings_oneCannotBeRead_isMarked_andTheOthersAreThere() throws Exception {
    Delivery damaged = day.created(store, day.delivery());
    day.pass(1_000);
    day.created(store, day.delivery());
    rig.damage(damaged.id());
    assertThat(tellings(null)).hasSize(2);
    Telling marked = tellings(State.WAITING).getLast();
    assertThat(marked.deliveryId()).isEqualTo(damaged.id());
    assertThat(marked.error()).startsWith("unreadable: ");
  }

  @Test
  void tellings_ofEachState() throws Exception {
    Delivery first = day.created(store, day.delivery());
    day.pass(1_000);
    Delivery second = day.created(store, day.delivery());
    day.created(store, day.delivery("shop-2", null));
    day.moved(store, first.id(), day.move(Step.ACCEPT), day.assign(Day.RIDER));
    told(first, Reader.SHOP, 1);
    long toldAt = day.millis();
    day.pass(1_000);
    outbox.setAside(first.id(), Reader.SHOP, 2, "gone");
    long asideAt = day.millis();
    outbox.failed(first.id(), Reader.SHOP, 1, day.millis() + 700, "refused");
    Telling newest =
        new Telling(
            second.id(), 1, "delivery.created", State.WAITING, 0, null, second.createdAtMillis());
    Telling waits =
        new Telling(first.id(), 3, "delivery.assigned", State.WAITING, 1, "refused", asideAt + 700);
    Telling aside =
        new Telling(first.id(), 2, "delivery.accepted", State.SET_ASIDE, 1, "gone", asideAt);
    Telling told = new Telling(first.id(), 1, "delivery.created", State.TOLD, 0, null, toldAt);
    assertThat(tellings(null)).containsExactly(newest, waits, aside, told);
    assertThat(tellings(State.WAITING)).containsExactly(newest, waits);
    assertThat(tellings(State.SET_ASIDE)).containsExactly(aside);
    assertThat(tellings(State.TOLD)).containsExactly(told);
    assertThat(outbox.tellings(Reader.AGENCY, Day.AGENCY, null, null, 1_000)).hasSize(2);
    assertThat(outbox.tellings(Reader.SHOP, "shop-3", null, null, 1_000)).isEmpty();
  }

  @Test
  void tellings_inPages_neverSplitADelivery() throws Exception {
    for (int i = 0; i < 9; i++) {
      day.pass(1);
      Delivery one = day.created(store, day.delivery());
      day.moved(store, one.id(), day.move(Step.ACCEPT), day.assign(Day.RIDER));
      told(one, Reader.SHOP, 1);
      outbox.setAside(one.id(), Reader.SHOP, 2, "gone");
    }
    List<Telling> whole = tellings(null);
    assertThat(whole).hasSize(27);
    List<Telling> paged = new ArrayList<>();
    String before = null;
    for (List<Telling> page = page(before); !page.isEmpty(); page = page(before)) {
      paged.addAll(page);
      before = page.getLast().deliveryId();
      assertThat(paged).hasSizeLessThanOrEqualTo(27);
    }
    assertThat(paged).isEqualTo(whole);
  }

  @Test
  void replay_hasAllToldAgain_ofThatPartnerAndSinceThen() throws Exception {
    Delivery old = day.created(store, day.delivery());
    day.pass(10_000);
    long from = day.millis();
    Delivery first = day.created(store, day.delivery());
    Delivery last = day.moved(store, first.id(), day.move(Step.ACCEPT));
    Delivery waits = day.created(store, day.delivery());
    Delivery others = day.created(store, day.delivery("shop-2", Day.AGENCY));
    for (Delivery one : List.of(old, first, others)) {
      told(one, Reader.SHOP, 1);
      told(one, Reader.AGENCY, 1);
    }
    outbox.setAside(first.id(), Reader.SHOP, 2, "gone");
    outbox.failed(waits.id(), Reader.SHOP, 5, day.millis() + 3_600_000, "refused");
    day.pass(1_000);
    assertThat(outbox.replay(Reader.SHOP, Day.SHOP, from)).isEqualTo(2);
    assertThat(due(Reader.SHOP))
        .containsExactlyInAnyOrder(
            new Due(last, Reader.SHOP, 0, 0, 0), new Due(waits, Reader.SHOP, 0, 0, 0));
    assertThat(tellings(State.SET_ASIDE)).isEmpty();
    assertThat(due(Reader.AGENCY)).extracting(Due::delivery).containsExactlyInAnyOrder(last, waits);
    assertThat(outbox.replay(Reader.SHOP, "shop-3", 0)).isZero();
  }

  @Test
  void told_ofManyAtOnce() throws Exception {
    List<Delivery> all = IntStream.range(0, 300).mapToObj(_ -> day.delivery()).toList();
    store.create(all.stream().map(one -> new Wish(one, null)).toList());
    outbox.told(all.stream().map(one -> new Told(one.id(), Reader.LOG, 1)).toList());
    assertThat(due(Reader.LOG)).isEmpty();
    assertThat(due(Reader.SHOP)).hasSize(300);
  }

  private List<Due> due(Reader reader) throws Exception {
    return outbox.due(reader, Shards.ALL, day.millis(), 1_000);
  }

  private void told(Delivery delivery, Reader reader, int through) throws Exception {
    outbox.told(List.of(new Told(delivery.id(), reader, through)));
  }

  private List<Telling> tellings(@Nullable State state) throws Exception {
    return outbox.tellings(Reader.SHOP, Day.SHOP, state, null, 1_000);
  }

  private List<Telling> page(@Nullable String before) throws Exception {
    List<Telling> page = outbox.tellings(Reader.SHOP, Day.SHOP, null, before, 4);
    assertThat(page).hasSizeLessThanOrEqualTo(6);
    return page;
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

package gilmok.deliveries;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.auth.Binding;
import gilmok.auth.Sha256;
import gilmok.deliveries.Decision.Why;
import gilmok.deliveries.DeliveryStore.Creation;
import gilmok.deliveries.DeliveryStore.Moving;
import gilmok.deliveries.DeliveryStore.Wish;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The contract of creating, moving and finding deliveries, whatever stores them. */
abstract class DeliveryStoreContract {
  private static final String HASH = "a".repeat(64);
  private static final String OTHER_HASH = "b".repeat(64);

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

  @Test
  void create_new_isThereWithAllItsFields() throws Exception {
    Delivery first = day.delivery();
    assertThat(store.create(List.of(Day.wish(first)))).containsExactly(new Creation.Created(first));
    assertThat(store.find(first.id())).isEqualTo(first);
  }

  @Test
  void create_withNothingOptional_isThere() throws Exception {
    DeliveryPlace place = new DeliveryPlace(-90, 180, "", null);
    Delivery bare = day.of(new DeliveryOrder("o", "s", null, null, place, place, OrderTerms.NONE));
    day.created(store, bare);
    assertThat(store.find(bare.id())).isEqualTo(bare);
  }

  @Test
  void create_sameKeyAndBody_isAnsweredAsAtFirst() throws Exception {
    Delivery first = day.delivery();
    assertThat(store.create(List.of(Day.wish(first, "once", HASH))))
        .containsExactly(new Creation.Created(first));
    day.pass(3_600_000);
    day.moved(store, first.id(), day.move(Step.ACCEPT), day.assign(Day.RIDER));
    assertThat(store.create(List.of(Day.wish(day.of(first.order()), "once", HASH))))
        .containsExactly(new Creation.Repeated(first));
    day.pass(22 * 3_600_000L);
    assertThat(store.create(List.of(Day.wish(day.of(first.order()), "once", HASH))))
        .as("a day is not over")
        .containsExactly(new Creation.Repeated(first));
  }

  @Test
  void create_sameKeyOtherBody_isRefused() throws Exception {
    store.create(List.of(Day.wish(day.delivery(), "once", HASH)));
    Delivery other = day.delivery();
    assertThat(store.create(List.of(Day.wish(other, "once", OTHER_HASH))))
        .containsExactly(new Creation.KeyReused());
    assertThat(store.find(other.id())).isNull();
  }

  @Test
  void create_sameKeyOfAnother_doesNotMeet() throws Exception {
    store.create(List.of(Day.wish(day.delivery(), "once", HASH)));
    Delivery other = day.delivery();
    Wish wish = new Wish(other, new DeliveryStore.Idempotency("key:k9", "once", HASH));
    assertThat(store.create(List.of(wish))).containsExactly(new Creation.Created(other));
  }

  @Test
  void create_sameOrder_isRefusedWithTheOneThatHasIt() throws Exception {
    Delivery first = day.created(store, day.delivery());
    assertThat(store.create(List.of(Day.wish(day.of(first.order())))))
        .containsExactly(new Creation.OrderTaken(first.id()));
    DeliveryOrder others = Day.order(first.order().orderId(), "shop-2", null);
    assertThat(store.create(List.of(Day.wish(day.of(others)))).getFirst())
        .as("orders of another shop do not meet")
        .isInstanceOf(Creation.Created.class);
  }

  @Test
  void create_keyOfARefusedOrder_isFreeAgain() throws Exception {
    Delivery first = day.created(store, day.delivery());
    assertThat(store.create(List.of(Day.wish(day.of(first.order()), "key", HASH))))
        .containsExactly(new Creation.OrderTaken(first.id()));
    Delivery other = day.delivery();
    assertThat(store.create(List.of(Day.wish(other, "key", OTHER_HASH))))
        .containsExactly(new Creation.Created(other));
  }

  @Test
  void create_several_eachIsAnsweredByItself() throws Exception {
    Delivery there = day.delivery();
    store.create(List.of(Day.wish(there, "k0", HASH)));
    Delivery one = day.delivery();
    Delivery two = day.delivery();
    assertThat(
            store.create(
                List.of(
                    Day.wish(one, "k1", HASH),
                    Day.wish(day.of(one.order())),
                    Day.wish(day.of(there.order())),
                    Day.wish(day.of(there.order()), "k0", HASH),
                    Day.wish(day.delivery(), "k1", OTHER_HASH),
                    Day.wish(day.of(one.order()), "k1", HASH),
                    Day.wish(two))))
        .containsExactly(
            new Creation.Created(one),
            new Creation.OrderTaken(one.id()),
            new Creation.OrderTaken(there.id()),
            new Creation.Repeated(there),
            new Creation.KeyReused(),
            new Creation.Repeated(one),
            new Creation.Created(two));
    assertThat(store.create(List.of())).isEmpty();
  }

  @Test
  void create_aThousandAtOnce_areAllThere() throws Exception {
    List<Delivery> all = IntStream.range(0, 1_000).mapToObj(_ -> day.delivery()).toList();
    assertThat(store.create(all.stream().map(Day::wish).toList()))
        .isEqualTo(all.stream().map(Creation.Created::new).toList());
    for (int i = 0; i < all.size(); i += 111) {
      assertThat(store.find(all.get(i).id())).isEqualTo(all.get(i));
    }
  }

  @Test
  void create_sameOrderByMany_oneIsMade() throws Exception {
    DeliveryOrder order = Day.order("wanted", Day.SHOP, null);
    List<Wish> wishes = IntStream.range(0, 16).mapToObj(_ -> Day.wish(day.of(order))).toList();
    List<Callable<Creation>> all = new ArrayList<>();
    wishes.forEach(wish -> all.add(() -> store.create(List.of(wish)).getFirst()));
    List<Creation> answers = together(all);
    List<Creation> made = answers.stream().filter(Creation.Created.class::isInstance).toList();
    assertThat(made).hasSize(1);
    if (made.getFirst() instanceof Creation.Created(Delivery delivery)) {
      assertThat(answers).filteredOn(new Creation.OrderTaken(delivery.id())::equals).hasSize(15);
    }
  }

  @Test
  void move_fromBeginningToEnd_eachStepIsAnEvent() throws Exception {
    Delivery first = day.created(store, day.delivery());
    List<Move> moves = new ArrayList<>();
    for (Step step : List.of(Step.ACCEPT, Step.ASSIGN, Step.PICK_UP, Step.COMPLETE)) {
      day.pass(60_000);
      Move move =
          step == Step.ASSIGN ? day.assign(Day.RIDER) : day.bound(step, kind(step), id(step));
      moves.add(move);
      assertThat(store.move(first.id(), move)).isInstanceOf(Moving.Moved.class);
    }
    Delivery last = found(first.id());
    assertThat(last.status()).isEqualTo(Status.COMPLETED);
    assertThat(last.version()).isEqualTo(5);
    assertThat(last.state().proof())
        .isEqualTo(new DeliveryProof(DeliveryProof.Kind.CODE, "4711", null, null));
    assertThat(last.riderId()).isEqualTo(Day.RIDER);
    assertThat(last.updatedAtMillis()).isEqualTo(day.millis());
    assertThat(last.events()).extracting(DeliveryEvent::sequence).containsExactly(1, 2, 3, 4, 5);
    for (int i = 0; i < moves.size(); i++) {
      DeliveryEvent event = last.events().get(i + 1);
      assertThat(event.step()).isEqualTo(moves.get(i).step());
      assertThat(event.by()).isEqualTo(moves.get(i).by());
      assertThat(event.details().lat()).isEqualTo(moves.get(i).details().lat());
    }
  }

  @Test
  void move_answersWhatIsThere() throws Exception {
    Delivery first = day.created(store, day.delivery());
    Delivery moved = day.moved(store, first.id(), day.move(Step.ACCEPT));
    assertThat(moved).isEqualTo(found(first.id()));
    assertThat(Lifecycle.at(moved, 1)).isEqualTo(first);
  }

  @Test
  void move_notAllowed_changesNothing() throws Exception {
    Delivery first = day.created(store, day.delivery());
    denied(first, day.move(Step.COMPLETE), Why.STATE);
    denied(first, day.ifVersion(Step.ACCEPT, 2), Why.VERSION);
    denied(first, day.bound(Step.ACCEPT, Binding.Kind.AGENCY, "agency-2"), Why.NOT_YOURS);
    denied(first, day.bound(Step.CANCEL, Binding.Kind.SHOP, "shop-2"), Why.NOT_YOURS);
    denied(first, day.bound(Step.ACCEPT, Binding.Kind.SHOP, Day.SHOP), Why.NOT_YOURS);
    denied(first, day.bound(Step.PICK_UP, Binding.Kind.RIDER, Day.RIDER), Why.NOT_YOURS);
    Delivery ended = day.moved(store, first.id(), day.ifVersion(Step.CANCEL, 1));
    for (Step step : Step.values()) {
      denied(ended, day.move(step), Why.STATE);
    }
  }

  @Test
  void move_tooManyEvents_isRefused() throws Exception {
    Delivery first = day.created(store, day.delivery());
    Delivery last = day.moved(store, first.id(), day.move(Step.ACCEPT));
    while (last.events().size() < Delivery.EVENTS_MAX) {
      last = day.moved(store, first.id(), day.assign("rider-" + last.version()));
    }
    assertThat(last.version()).isEqualTo(Delivery.EVENTS_MAX);
    denied(last, day.assign("one-more"), Why.TOO_MANY);
  }

  @Test
  void move_byAnAgencyThatTakesIt_isFromThenOnIts() throws Exception {
    Delivery first = day.created(store, day.delivery(Day.SHOP, null));
    Delivery taken =
        day.moved(store, first.id(), day.bound(Step.ACCEPT, Binding.Kind.AGENCY, "agency-7"));
    assertThat(taken.agencyId()).isEqualTo("agency-7");
    assertThat(taken.order().agencyId()).isNull();
    assertThat(found(first.id())).isEqualTo(taken);
  }

  @Test
  void move_unknown_isUnknown() throws Exception {
    String id = day.delivery().id();
    assertThat(store.move(id, day.move(Step.ACCEPT))).isEqualTo(new Moving.Unknown());
    assertThat(store.act(id, day.action(Step.PICK_UP, "n:1"))).isNull();
    assertThat(store.find(id)).isNull();
  }

  @Test
  void move_byManyAtOnce_exactlyTheAllowedHappen() throws Exception {
    Delivery first = day.created(store, day.delivery());
    List<Callable<Moving>> all = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      all.add(() -> store.move(first.id(), day.move(Step.ACCEPT)));
      all.add(() -> store.move(first.id(), day.ifVersion(Step.ACCEPT, 1)));
    }
    assertThat(together(all)).filteredOn(Moving.Moved.class::isInstance).hasSize(1);
    List<Callable<Moving>> changes = new ArrayList<>();
    for (int i = 0; i < 24; i++) {
      String rider = "rider-" + i;
      changes.add(() -> store.move(first.id(), day.assign(rider)));
    }
    List<Moving> answers = together(changes);
    assertThat(answers).allMatch(Moving.Moved.class::isInstance);
    assertThat(answers.stream().map(DeliveryStoreContract::version))
        .containsExactlyInAnyOrderElementsOf(IntStream.rangeClosed(3, 26).boxed().toList());
    Delivery last = found(first.id());
    assertThat(last.version()).isEqualTo(26);
    assertThat(last.events())
        .extracting(DeliveryEvent::sequence)
        .containsExactlyElementsOf(IntStream.rangeClosed(1, 26).boxed().toList());
  }

  /** Of one key, one request happens, however many come at once. */
  @Test
  void move_withTheSameKey_happensOnce_andWithAnotherBodyNot() throws Exception {
    Delivery first = day.created(store, day.delivery());
    Delivery accepted = day.moved(store, first.id(), day.move(Step.ACCEPT));
    Move move = day.assign(Day.RIDER).sourced(source("k", "{\"riderId\":\"r\"}"));
    List<Callable<Moving>> all = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      all.add(() -> store.move(first.id(), move));
    }
    assertThat(together(all))
        .filteredOn(Moving.Denied.class::isInstance)
        .hasSize(7)
        .allMatch(one -> one instanceof Moving.Denied(Why why, Delivery _) && why == Why.REPEAT);
    Delivery present = found(first.id());
    assertThat(present.version()).isEqualTo(accepted.version() + 1);
    denied(present, day.assign("r-8").sourced(source("k", "{}")), Why.BODY_DIFFERS);
    denied(present, move, Why.REPEAT);
    Move other = day.assign("r-8").sourced(source("k2", "{}"));
    assertThat(store.move(first.id(), other)).isInstanceOf(Moving.Moved.class);
  }

  private static String source(String key, String body) {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    return IdempotencyKey.source(
        Sha256.digest(), "name:ops", key, Step.ASSIGN, bytes, 0, bytes.length);
  }

  private void denied(Delivery present, Move move, Why why) throws Exception {
    assertThat(store.move(present.id(), move))
        .as(move.step() + " of " + present.status())
        .isEqualTo(new Moving.Denied(why, present));
    assertThat(store.find(present.id())).isEqualTo(present);
  }

  private Delivery found(String id) throws Exception {
    return Objects.requireNonNull(store.find(id));
  }

  private static int version(Moving answer) {
    return answer instanceof Moving.Moved(Delivery delivery) ? delivery.version() : -1;
  }

  private static Binding.Kind kind(Step step) {
    return step == Step.ACCEPT ? Binding.Kind.AGENCY : Binding.Kind.RIDER;
  }

  private static String id(Step step) {
    return step == Step.ACCEPT ? Day.AGENCY : Day.RIDER;
  }

  private static <T> List<T> together(List<Callable<T>> all) throws Exception {
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<T> answers = new ArrayList<>();
      for (Future<T> one : threads.invokeAll(all)) {
        answers.add(one.get());
      }
      return answers;
    }
  }
}

package gilmok.deliveries;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.auth.Binding;
import gilmok.auth.Binding.Kind;
import gilmok.deliveries.Decision.Allowed;
import gilmok.deliveries.Decision.Denied;
import gilmok.deliveries.Decision.Why;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("unit")
final class LifecycleTest {
  /**
   * The status that each step (column) reaches from each status (row). Written by hand,
   * independently of the code.
   */
  private static final String TABLE =
      """
      from       accept    assign    unassign  pickup     complete   decline   cancel     fail
      NEW        ACCEPTED  -         -         -          -          DECLINED  CANCELLED  -
      ACCEPTED   -         ASSIGNED  -         -          -          DECLINED  CANCELLED  FAILED
      ASSIGNED   -         ASSIGNED  ACCEPTED  PICKED_UP  -          -         CANCELLED  FAILED
      PICKED_UP  -         -         -         -          COMPLETED  -         -          FAILED
      COMPLETED  -         -         -         -          -          -         -          -
      DECLINED   -         -         -         -          -          -         -          -
      CANCELLED  -         -         -         -          -          -         -          -
      FAILED     -         -         -         -          -          -         -          -
      """;

  private final Day day = new Day();

  @Test
  void decide_everyStepFromEveryStatus() {
    List<String[]> rows = TABLE.lines().map(line -> line.split(" +")).toList();
    String[] steps = rows.getFirst();
    assertThat(steps).hasSize(Step.values().length);
    assertThat(rows).hasSize(Status.values().length + 1);
    for (String[] row : rows.subList(1, rows.size())) {
      Delivery present = in(Status.valueOf(row[0]));
      for (int i = 1; i < row.length; i++) {
        Step step = Objects.requireNonNull(Step.ofLabel(steps[i]));
        Decision decision = Lifecycle.decide(present, fleet(step), day.millis());
        if (row[i].equals("-")) {
          assertThat(decision).as(row[0] + " " + step).isEqualTo(new Denied(Why.STATE));
        } else {
          assertThat(decision).as(row[0] + " " + step).isInstanceOf(Allowed.class);
          assertThat(next(decision).status()).isEqualTo(Status.valueOf(row[i]));
          assertThat(next(decision).version()).isEqualTo(present.version() + 1);
        }
      }
    }
  }

  /** A phone's clock of 1970 or 2099 dates no earnings; what it said is kept beside. */
  @Test
  void event_ofATimeThatCannotBe_countsAtItsArrival() {
    long margin = 10 * 60_000;
    Delivery present = in(Status.ASSIGNED);
    long created = present.createdAtMillis();
    day.pass(3_600_000);
    long arrived = day.millis();
    for (long at : new long[] {created - margin, created, arrived, arrived + margin}) {
      DeliveryEvent event = dated(present, at);
      assertThat(event.atMillis()).isEqualTo(at);
      assertThat(event.claimedAtMillis()).isNull();
    }
    for (long at : new long[] {0, created - margin - 1, arrived + margin + 1, 4_070_908_800_000L}) {
      DeliveryEvent event = dated(present, at);
      assertThat(event.atMillis()).isEqualTo(arrived);
      assertThat(event.claimedAtMillis()).isEqualTo(at);
    }
  }

  /** What a replayed action says of its first arrival dates it no earlier than its delivery. */
  @Test
  void event_ofATimeThatCannotBe_withAnArrivalBeforeTheDelivery_countsAtTheCreation() {
    Delivery present = in(Status.ASSIGNED);
    long created = present.createdAtMillis();
    day.pass(3_600_000);
    long early = created - 10 * 60_000;
    for (long arrived : new long[] {0, early - 1, early}) {
      Move action = Day.action(Step.PICK_UP, Day.RIDER, "n:1", 0, arrived);
      DeliveryEvent event = Lifecycle.act(present, action, day.millis()).events().getLast();
      assertThat(event.atMillis()).isEqualTo(arrived < early ? created : arrived);
      assertThat(event.claimedAtMillis()).isZero();
    }
  }

  /** An action that waits keeps both times until it happens. */
  @Test
  void act_earlyWithATimeThatCannotBe_countsAtItsArrivalWhenItHappens() {
    Delivery present = in(Status.ASSIGNED);
    long arrived = day.millis();
    Delivery waits =
        Lifecycle.act(present, Day.action(Step.COMPLETE, Day.RIDER, "n:1", 0, arrived), arrived);
    assertThat(waits.waiting()).hasSize(1);
    Delivery stored = DeliveryReader.read(DeliveryWriter.json(waits, new JsonFieldWriter()));
    assertThat(stored).isEqualTo(waits);
    day.pass(60_000);
    Delivery done = Lifecycle.act(stored, day.action(Step.PICK_UP, "n:2"), day.millis());
    assertThat(done.status()).isEqualTo(Status.COMPLETED);
    assertThat(done.events().getLast().atMillis()).isEqualTo(arrived);
    assertThat(done.events().getLast().claimedAtMillis()).isZero();
    assertThat(DeliveryReader.read(DeliveryWriter.json(done, new JsonFieldWriter())))
        .isEqualTo(done);
  }

  private DeliveryEvent dated(Delivery present, long at) {
    Move action = Day.action(Step.PICK_UP, Day.RIDER, "n:" + at, at, day.millis());
    return Lifecycle.act(present, action, day.millis()).events().getLast();
  }

  @Test
  void decide_whoMayDoWhat() {
    Map<Kind, List<Step>> mayDo =
        Map.of(
            Kind.RIDER, List.of(Step.PICK_UP, Step.COMPLETE, Step.FAIL),
            Kind.SHOP, List.of(Step.CANCEL),
            Kind.AGENCY,
                List.of(
                    Step.ACCEPT,
                    Step.ASSIGN,
                    Step.UNASSIGN,
                    Step.PICK_UP,
                    Step.COMPLETE,
                    Step.DECLINE,
                    Step.FAIL));
    Map<Kind, String> ids =
        Map.of(Kind.RIDER, Day.RIDER, Kind.SHOP, Day.SHOP, Kind.AGENCY, Day.AGENCY);
    for (Kind kind : Kind.values()) {
      for (Step step : Step.values()) {
        for (Status status : step.sources()) {
          Delivery present = in(status);
          Decision own =
              Lifecycle.decide(present, by(step, kind, ids.getOrDefault(kind, "")), day.millis());
          boolean isRiders = kind != Kind.RIDER || present.riderId() != null;
          boolean may = mayDo.getOrDefault(kind, List.of()).contains(step) && isRiders;
          assertThat(own instanceof Allowed).as(kind + " " + step + " " + status).isEqualTo(may);
          Decision others = Lifecycle.decide(present, by(step, kind, "another"), day.millis());
          assertThat(others).isEqualTo(new Denied(Why.NOT_YOURS));
        }
      }
    }
  }

  /** Whoever knows a delivery's id could fill its places for early actions. */
  @Test
  void hold_placesFilledByAnotherRider_areGivenToTheOneWhoHasIt() {
    Delivery present = day.delivery();
    for (int i = 0; i < Delivery.WAITING_MAX; i++) {
      day.pass(1);
      present =
          Lifecycle.act(
              present, Day.action(Step.COMPLETE, "other", "n:" + i, day.millis()), day.millis());
    }
    assertThat(present.waiting()).hasSize(Delivery.WAITING_MAX);
    present = next(Lifecycle.move(present, day.move(Step.ACCEPT), day.millis()));
    present = next(Lifecycle.move(present, day.assign(Day.RIDER), day.millis()));
    present = Lifecycle.act(present, day.action(Step.COMPLETE, "n:own"), day.millis());
    present = Lifecycle.act(present, day.action(Step.PICK_UP, "n:own-2"), day.millis());

    assertThat(present.status()).isEqualTo(Status.COMPLETED);
  }

  @Test
  void decide_aDeliveryThatNobodyHas_isTakenByAnAgencyForItself() {
    Delivery free = day.delivery(Day.SHOP, null);
    Move takes = day.bound(Step.ACCEPT, Kind.AGENCY, "agency-7");
    assertThat(next(Lifecycle.decide(free, takes, day.millis())).agencyId()).isEqualTo("agency-7");
    Move forAnother =
        new Move(
            Step.ACCEPT,
            "key:k",
            new Binding(Kind.AGENCY, "agency-7"),
            0,
            0,
            null,
            new StepDetails(null, null, null, "agency-8", null, null, null));
    assertThat(Lifecycle.decide(free, forAnother, 0)).isEqualTo(new Denied(Why.NOT_YOURS));
    Delivery its = day.delivery(Day.SHOP, "agency-7");
    assertThat(Lifecycle.decide(its, forAnother, 0)).isEqualTo(new Denied(Why.NOT_YOURS));
    Move declines = day.bound(Step.DECLINE, Kind.AGENCY, "agency-7");
    assertThat(Lifecycle.decide(free, declines, 0)).isEqualTo(new Denied(Why.NOT_YOURS));
  }

  /** Found bug: the refusal showed a stranger how far it is, and with which rider. */
  @Test
  void decide_aDeliveryOfTheFleetItselfThatIsNotNewAnyMore_isNoAgencys() {
    Move takes = day.bound(Step.ACCEPT, Kind.AGENCY, "agency-7");
    Delivery present = day.delivery(Day.SHOP, null);
    for (Move move :
        List.of(day.move(Step.ACCEPT), day.assign(Day.RIDER), day.move(Step.PICK_UP))) {
      present = next(Lifecycle.decide(present, move, day.millis()));
      assertThat(present.agencyId()).isNull();
      assertThat(Lifecycle.decide(present, takes, day.millis()))
          .isEqualTo(new Denied(Why.NOT_YOURS));
    }
  }

  /** A phone without an answer sends again, to another node: there it is another record. */
  @Test
  void act_theSameActionAsAnotherNodesRecord_changesNothing() {
    Delivery assigned = in(Status.ASSIGNED);
    Move early = day.action(Step.COMPLETE, "a:1");
    Delivery held = Lifecycle.act(assigned, early, day.millis());
    assertThat(held.waiting()).hasSize(1);
    assertThat(Lifecycle.act(held, early.sourced("b:1"), day.millis())).isSameAs(held);
    day.pass(1000);
    Move picked = day.action(Step.PICK_UP, "a:2");
    Delivery done = Lifecycle.act(held, picked, day.millis());
    assertThat(done.status()).isEqualTo(Status.COMPLETED);
    day.pass(60_000);
    for (Move again : List.of(early.sourced("b:1"), picked.sourced("b:2"))) {
      assertThat(Lifecycle.act(done, again, day.millis())).isSameAs(done);
    }
    Delivery late = Lifecycle.act(done, day.action(Step.PICK_UP, "b:3"), day.millis());
    assertThat(late.events().getLast().late()).as("another one is noted").isTrue();
    Move lateAgain = day.action(Step.PICK_UP, "a:3");
    assertThat(Lifecycle.act(late, lateAgain, day.millis())).isSameAs(late);
    assertThat(Lifecycle.act(late, day.move(Step.PICK_UP).sourced("c:1"), day.millis()))
        .as("another author")
        .isNotSameAs(late);
  }

  /** One that cannot be dated by its phone is known by what the phone said. */
  @Test
  void act_theSameActionOfAClockThatIsWrong_changesNothing() {
    Delivery assigned = in(Status.ASSIGNED);
    Move picked = day.action(Step.PICK_UP, "a:1");
    Move wrong =
        new Move(
            picked.step(), picked.by(), picked.binding(), 5, day.millis(), null, picked.details());
    Delivery done = Lifecycle.act(assigned, wrong, day.millis());
    assertThat(done.events().getLast().claimedAtMillis()).isEqualTo(5);
    assertThat(Lifecycle.act(done, wrong.sourced("b:1"), day.millis())).isSameAs(done);
  }

  @Test
  void at_isWhatWasThen() {
    Random random = new Random(11);
    List<Step> steps = List.of(Step.values());
    for (int run = 0; run < 200; run++) {
      Delivery present = day.delivery(Day.SHOP, random.nextBoolean() ? Day.AGENCY : null);
      Map<Integer, Delivery> then = new HashMap<>(Map.of(1, present));
      for (int i = 0; i < 20; i++) {
        day.pass(random.nextInt(1_000));
        Step step = steps.get(1 + random.nextInt(steps.size() - 1));
        if (random.nextInt(4) == 0) {
          present = Lifecycle.late(present, day.action(step, "n:" + run + "-" + i), day.millis());
          continue;
        }
        Move move =
            step == Step.ASSIGN
                ? day.assign("rider-" + random.nextInt(3))
                : new Move(
                    step,
                    "key:k1",
                    null,
                    day.millis(),
                    day.millis(),
                    null,
                    new StepDetails(
                        37.5,
                        127.0,
                        null,
                        step == Step.ACCEPT && random.nextBoolean() ? "agency-2" : null,
                        random.nextBoolean() ? "because" : null,
                        step == Step.COMPLETE
                            ? new DeliveryProof(DeliveryProof.Kind.PHOTO, null, "ab", "u")
                            : null,
                        null));
        if (Lifecycle.decide(present, move, day.millis()) instanceof Allowed(Delivery next)) {
          present = next;
          then.put(next.version(), next);
        }
      }
      for (Map.Entry<Integer, Delivery> one : then.entrySet()) {
        Delivery was = one.getValue();
        assertThat(Lifecycle.at(present, one.getKey()).events()).isEqualTo(counted(was));
        assertThat(Lifecycle.at(present, one.getKey()))
            .usingRecursiveComparison()
            .ignoringFields("events")
            .isEqualTo(was);
      }
    }
  }

  @Test
  void codec_keepsEverything() {
    Random random = new Random(13);
    JsonFieldWriter json = new JsonFieldWriter();
    for (Status status : Status.values()) {
      Delivery plain = in(status);
      assertThat(DeliveryReader.read(DeliveryWriter.json(plain, json))).isEqualTo(plain);
    }
    DeliveryPlace place =
        new DeliveryPlace(-0.1 + random.nextDouble(), 1e-9, "", "\u0000\"\\\uD83D\uDEF5");
    DeliveryOrder order =
        new DeliveryOrder(
            "\t",
            "",
            null,
            null,
            place,
            place,
            new OrderTerms(Long.MIN_VALUE, "KRW", null, -1L, "\n"));
    Delivery full = day.of(order);
    List<Move> waiting = new ArrayList<>();
    waiting.add(day.bound(Step.COMPLETE, Kind.SHOP, "가나다"));
    waiting.add(day.ifVersion(Step.FAIL, 7));
    waiting.add(day.assign("r"));
    for (Move move : waiting) {
      full = Lifecycle.hold(full, move.sourced("n:" + move.step()));
    }
    full = Lifecycle.late(full, day.bound(Step.COMPLETE, Kind.AGENCY, "a"), 5);
    assertThat(full.waiting()).hasSize(3);
    assertThat(full.events().getLast().proof()).isNotNull();
    assertThat(DeliveryReader.read(DeliveryWriter.json(full, json))).isEqualTo(full);
  }

  private static List<DeliveryEvent> counted(Delivery delivery) {
    return delivery.events().stream().filter(event -> !event.late()).toList();
  }

  /** A delivery that has reached that status by the usual steps. */
  private Delivery in(Status status) {
    List<Step> steps =
        switch (status) {
          case NEW -> List.of();
          case ACCEPTED -> List.of(Step.ACCEPT);
          case ASSIGNED -> List.of(Step.ACCEPT, Step.ASSIGN);
          case PICKED_UP -> List.of(Step.ACCEPT, Step.ASSIGN, Step.PICK_UP);
          case COMPLETED -> List.of(Step.ACCEPT, Step.ASSIGN, Step.PICK_UP, Step.COMPLETE);
          case DECLINED -> List.of(Step.DECLINE);
          case CANCELLED -> List.of(Step.CANCEL);
          case FAILED -> List.of(Step.ACCEPT, Step.FAIL);
        };
    Delivery delivery = day.delivery();
    for (Step step : steps) {
      delivery = next(Lifecycle.decide(delivery, fleet(step), day.millis()));
    }
    return delivery;
  }

  private Move fleet(Step step) {
    return step == Step.ASSIGN ? day.assign(Day.RIDER) : day.move(step);
  }

  private Move by(Step step, Kind kind, String id) {
    Move move = day.bound(step, kind, id);
    return step == Step.ASSIGN
        ? new Move(
            step,
            "key:k2",
            move.binding(),
            0,
            0,
            null,
            new StepDetails(null, null, Day.RIDER, null, null, null, null))
        : move;
  }

  private static Delivery next(Decision decision) {
    if (decision instanceof Allowed(Delivery next)) {
      return next;
    }
    throw new AssertionError("not allowed: " + decision);
  }
}

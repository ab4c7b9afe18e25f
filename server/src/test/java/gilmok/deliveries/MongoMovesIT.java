package gilmok.deliveries;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.auth.Binding;
import gilmok.deliveries.DeliveryStore.Moving;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A move over MongoDB is one query, which must decide as {@link Lifecycle} does, whatever the move.
 */
@Tag("engine")
final class MongoMovesIT {
  private static final long SEED = 2_026;
  private static final int ROUNDS = 600;
  private static final List<String> NAMES = List.of("one", "two");

  private static final List<Step> STEPS = List.of(Step.values());
  private static final List<Binding.Kind> KINDS = List.of(Binding.Kind.values());

  private final Day day = new Day();
  private final Random random = new Random(SEED);
  private MongoRig rig;

  @BeforeEach
  void open() throws Exception {
    rig = MongoRig.open(day);
  }

  @AfterEach
  void close() {
    rig.close();
  }

  @Test
  void anyMoveOfAnyDelivery_isWhatTheRulesSay() throws Exception {
    List<Delivery> model = new ArrayList<>();
    int moved = 0;
    int sources = 0;
    for (int i = 0; i < ROUNDS; i++) {
      if (model.size() < 4 || random.nextInt(12) == 0) {
        model.add(
            day.created(
                rig.deliveries(), day.delivery(any(), random.nextBoolean() ? any() : null)));
      }
      day.pass(random.nextInt(1_000));
      int which = model.size() - 1 - random.nextInt(Math.min(4, model.size()));
      Delivery present = model.get(which);
      if (random.nextInt(4) == 0) {
        Move action = Day.action(riders(), any(), "n:" + sources++ / 2, day.millis());
        Delivery next = Lifecycle.act(present, action, day.millis());
        assertThat(rig.deliveries().act(present.id(), action)).as("round " + i).isEqualTo(next);
        model.set(which, next);
      } else {
        Move move = move(present);
        Decision decision = Lifecycle.move(present, move, day.millis());
        Moving answer = rig.deliveries().move(present.id(), move);
        switch (decision) {
          case Decision.Allowed(Delivery next) -> {
            assertThat(answer).as("round " + i).isEqualTo(new Moving.Moved(next));
            model.set(which, next);
            moved++;
          }
          case Decision.Denied(Decision.Why why) ->
              assertThat(answer).as("round " + i).isEqualTo(new Moving.Denied(why, present));
        }
      }
    }
    for (Delivery one : model) {
      assertThat(rig.deliveries().find(one.id())).isEqualTo(one);
    }
    assertThat(moved).isGreaterThan(ROUNDS / 10);
  }

  private Step riders() {
    return List.of(Step.PICK_UP, Step.COMPLETE, Step.FAIL).get(random.nextInt(3));
  }

  private String any() {
    return NAMES.get(random.nextInt(NAMES.size()));
  }

  /** Mostly just now, now and then the time of a clock that is wrong. */
  private long at() {
    return switch (random.nextInt(8)) {
      case 0 -> 0;
      case 1 -> day.millis() + 3_600_000;
      default -> day.millis() - random.nextInt(100);
    };
  }

  private Move move(Delivery present) {
    Step step = STEPS.get(random.nextInt(STEPS.size()));
    for (int i = 0; i < 3 && !step.sources().contains(present.status()); i++) {
      step = STEPS.get(random.nextInt(STEPS.size()));
    }
    boolean proven = step == Step.COMPLETE && random.nextBoolean();
    return new Move(
        step,
        "key:k1",
        binding(),
        at(),
        day.millis(),
        random.nextInt(4) == 0 ? present.version() + random.nextInt(2) : null,
        new StepDetails(
            random.nextBoolean() ? 37.5 : null,
            random.nextBoolean() ? 127.0 : null,
            step == Step.ASSIGN ? any() : null,
            step == Step.ACCEPT && random.nextBoolean() ? any() : null,
            random.nextBoolean() ? "because" : null,
            proven
                ? new DeliveryProof(
                    DeliveryProof.Kind.PHOTO, null, "a".repeat(64), "https://example.com")
                : null,
            null));
  }

  private @Nullable Binding binding() {
    return random.nextInt(3) > 0
        ? null
        : new Binding(KINDS.get(random.nextInt(KINDS.size())), any());
  }
}

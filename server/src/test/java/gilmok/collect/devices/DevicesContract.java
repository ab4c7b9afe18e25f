package gilmok.collect.devices;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import gilmok.auth.Principal;
import gilmok.collect.devices.Devices.Outcome;
import gilmok.collect.devices.Devices.Tied;
import gilmok.collect.dialect.PhoneCommand;
import gilmok.config.Settings;
import gilmok.http.TestExchange;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** What phones' ties and commands promise, wherever they are kept. */
abstract class DevicesContract {
  static final int COMMANDS_MAX = 3;
  static final int DEVICES_MAX = 5;
  static final Duration KEEP = Duration.ofHours(1);

  /** The time, epoch ms. */
  final AtomicLong now = new AtomicLong(System.currentTimeMillis());

  /** The devices that a node has opened last. */
  abstract Devices devices();

  /** Stops them, and returns those of a node that is started again in their place. */
  abstract Devices reopened() throws Exception;

  static DevicesConfig config() {
    Settings settings =
        new Settings(
            Map.of(
                "devices.max", "" + DEVICES_MAX,
                "devices.commands-max", "" + COMMANDS_MAX,
                "devices.command-keep", KEEP.toHours() + " h"));
    DevicesConfig config = DevicesConfig.from(settings);
    settings.finish();
    return config;
  }

  static PhoneCommand text(String id) {
    return new PhoneCommand(id, PhoneCommand.Type.TEXT, null, "say " + id);
  }

  static PhoneCommand report(String id) {
    return new PhoneCommand(id, PhoneCommand.Type.REPORT, null, null);
  }

  static TestExchange exchange() {
    return new TestExchange(new Principal("k", "app", Set.of(), null), Map.of(), Map.of(), "");
  }

  /** The ids of the commands that an answer to the phone would have; waits for them. */
  static List<String> taken(Devices devices, String device) throws Exception {
    return taken(devices, device, 1, _ -> true);
  }

  static List<String> taken(
      Devices devices, String device, int max, Predicate<PhoneCommand> canCarry) throws Exception {
    CompletableFuture<List<PhoneCommand>> taken = new CompletableFuture<>();
    if (devices.hasCommands(device)) {
      devices.take(exchange(), device, max, canCarry, taken::complete);
    } else {
      taken.complete(List.of());
    }
    return taken.get(60, TimeUnit.SECONDS).stream().map(PhoneCommand::id).toList();
  }

  static void await(String what, BooleanSupplier is) {
    long end = System.nanoTime() + 60_000_000_000L;
    while (!is.getAsBoolean()) {
      assertThat(System.nanoTime()).as(what).isLessThan(end);
      LockSupport.parkNanos(2_000_000);
    }
  }

  static Device find(Devices devices, String device) {
    return requireNonNull(devices.find(device));
  }

  static List<String> waiting(Devices devices, String device) {
    Device known = devices.find(device);
    return known == null
        ? List.of()
        : known.waiting().stream().map(one -> one.command().id()).toList();
  }

  static List<String> ends(Devices devices, String device) {
    Device known = devices.find(device);
    return known == null
        ? List.of()
        : known.ended().stream().map(one -> one.id() + " " + one.end().label()).toList();
  }

  @Test
  void tie_isTheRider_alsoAfterAStart() throws Exception {
    assertThat(devices().riderOf("d")).isEqualTo("d");
    assertThat(devices().tie("d", "r", "g")).isEqualTo(Outcome.DONE);
    assertThat(devices().riderOf("d")).isEqualTo("r");
    assertThat(reopened().riderOf("d")).isEqualTo("r");
    assertThat(devices().tie("d", "s", null)).isEqualTo(Outcome.DONE);
    assertThat(find(devices(), "d").group()).isNull();
    assertThat(find(reopened(), "d").group()).isNull();
    assertThat(devices().riderOf("d")).isEqualTo("s");
    assertThat(devices().untie("d")).isEqualTo(Outcome.DONE);
    assertThat(devices().riderOf("d")).isEqualTo("d");
    assertThat(reopened().riderOf("d")).isEqualTo("d");
    assertThat(devices().untie("nobody")).isEqualTo(Outcome.DONE);
  }

  @Test
  void tie_again_afterItWasTakenAway() throws Exception {
    devices().tie("d", "r", null);
    devices().untie("d");
    devices().tie("d", "s", "g");
    assertThat(devices().riderOf("d")).isEqualTo("s");
    assertThat(reopened().riderOf("d")).isEqualTo("s");
  }

  @Test
  void group_seesOneAnother() throws Exception {
    devices().tie("a", "ra", "g");
    devices().tie("b", "rb", "g");
    devices().tie("c", "rc", "other");
    assertThat(devices().friends("a")).containsExactly("rb");
    assertThat(reopened().friends("b")).containsExactly("ra");
    devices().untie("a");
    assertThat(devices().friends("b")).isEmpty();
    assertThat(devices().friends("nobody")).isEmpty();
  }

  @Test
  void command_isTakenOnce_inTheirOrder_andThenHasEnded() throws Exception {
    assertThat(devices().tell("d", text("a1"))).isEqualTo(Outcome.DONE);
    assertThat(devices().tell("d", text("a2"))).isEqualTo(Outcome.DONE);
    assertThat(devices().tell("d", text("a3"))).isEqualTo(Outcome.DONE);
    assertThat(waiting(devices(), "d")).containsExactly("a1", "a2", "a3");
    assertThat(taken(devices(), "d")).containsExactly("a1");
    assertThat(taken(devices(), "d", 2, _ -> true)).containsExactly("a2", "a3");
    assertThat(taken(devices(), "d")).isEmpty();
    assertThat(ends(devices(), "d")).containsExactly("a1 sent", "a2 sent", "a3 sent");
    assertThat(taken(reopened(), "d")).isEmpty();
  }

  @Test
  void command_waits_alsoAfterAStart() throws Exception {
    PhoneCommand whole = new PhoneCommand("c1", PhoneCommand.Type.CONFIGURE, "{\"a\":[1]}", null);
    devices().tell("d", whole);
    Device read = find(reopened(), "d");
    assertThat(read.waiting()).containsExactly(new Device.Waiting(whole, now.get()));
    assertThat(taken(devices(), "d")).containsExactly("c1");
  }

  @Test
  void commands_thatTheAppCannotCarry_areDropped() throws Exception {
    devices().tell("d", report("b1"));
    devices().tell("d", text("b2"));
    Predicate<PhoneCommand> texts = command -> command.type() == PhoneCommand.Type.TEXT;
    assertThat(taken(devices(), "d", 1, texts)).containsExactly("b2");
    assertThat(ends(devices(), "d")).containsExactlyInAnyOrder("b1 dropped", "b2 sent");
    assertThat(waiting(reopened(), "d")).isEmpty();
  }

  @Test
  void commands_thatWaitedTooLong_expire() throws Exception {
    devices().tell("d", text("e1"));
    now.addAndGet(KEEP.toMillis() + 1);
    assertThat(waiting(devices(), "d")).isEmpty();
    assertThat(ends(devices(), "d")).containsExactly("e1 expired");
    assertThat(taken(devices(), "d")).isEmpty();
    assertThat(ends(devices(), "d")).containsExactly("e1 expired");
    assertThat(waiting(reopened(), "d")).isEmpty();
  }

  @Test
  void commands_areBounded_andExpiredOnesMakeRoom() throws Exception {
    for (int i = 0; i < COMMANDS_MAX; i++) {
      assertThat(devices().tell("d", text("f" + i))).isEqualTo(Outcome.DONE);
    }
    assertThat(devices().tell("d", text("f9"))).isEqualTo(Outcome.TOO_MANY_COMMANDS);
    assertThat(waiting(devices(), "d")).hasSize(COMMANDS_MAX);
    now.addAndGet(KEEP.toMillis() + 1);
    assertThat(devices().tell("d", text("fa"))).isEqualTo(Outcome.DONE);
    assertThat(waiting(reopened(), "d")).containsExactly("fa");
  }

  @Test
  void devices_areBounded_andThoseOnlyHeardMakeRoom() throws Exception {
    for (int i = 0; i < DEVICES_MAX; i++) {
      devices().heard("heard" + i, "osmand");
    }
    devices().heard("more", "osmand");
    assertThat(devices().find("more")).isNull();
    for (int i = 0; i < DEVICES_MAX; i++) {
      assertThat(devices().tie("d" + i, "r", null)).isEqualTo(Outcome.DONE);
    }
    assertThat(devices().tie("more", "r", null)).isEqualTo(Outcome.NO_ROOM);
    assertThat(devices().tell("more", text("a"))).isEqualTo(Outcome.NO_ROOM);
    assertThat(devices().tie("d0", "s", null)).isEqualTo(Outcome.DONE);
    assertThat(devices().size()).isEqualTo(DEVICES_MAX);
    assertThat(reopened().size()).isEqualTo(DEVICES_MAX);
  }

  @Test
  void brought_areTiedWhereThereIsNoTie() throws Exception {
    devices().tie("d1", "mine", "g");
    devices().tell("d2", text("a1"));
    List<Device> brought = new ArrayList<>();
    for (int i = 1; i <= DEVICES_MAX + 1; i++) {
      brought.add(Device.unknown("d" + i).tied("theirs", null));
    }
    List<Tied> tied = devices().tieNew(brought);
    assertThat(requireNonNull(tied.getFirst().there()).rider()).isEqualTo("mine");
    assertThat(tied.subList(1, DEVICES_MAX)).allMatch(one -> one.there() == null && one.hasRoom());
    assertThat(tied.getLast().hasRoom()).isFalse();
    assertThat(devices().riderOf("d1")).isEqualTo("mine");
    assertThat(devices().riderOf("d2")).isEqualTo("theirs");
    assertThat(waiting(devices(), "d2")).containsExactly("a1");
    assertThat(devices().tieNew(brought.subList(0, 2)))
        .extracting(one -> requireNonNull(one.there()).rider())
        .containsExactly("mine", "theirs");
    assertThat(reopened().tied("", 9)).hasSize(DEVICES_MAX);
  }
}

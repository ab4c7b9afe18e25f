package gilmok.missions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gilmok.missions.MissionStore.Due;
import gilmok.observe.Meters;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Settlements in pieces, over a {@link ScriptedStore}. */
@Tag("unit")
final class SettlementWriterTest {
  private static final Duration LONG = Duration.ofMinutes(1);
  private static final long AT = 5;

  private final ScriptedStore store = new ScriptedStore();
  private Meters meters;
  private SettlementWriter settlements;

  @BeforeEach
  void begin() {
    use(new SettlingConfig(40, 8), LONG);
  }

  private void use(SettlingConfig config, Duration patience) {
    meters = new Meters();
    settlements = new SettlementWriter(store, config, meters, patience);
  }

  @AfterEach
  void close() {
    store.open();
    settlements.close();
    meters.close();
  }

  private static List<Due> due(String name, int count) {
    return IntStream.range(0, count).mapToObj(i -> new Due(name + i, i + 1)).toList();
  }

  private static <T> FutureTask<T> begin(Callable<T> call) {
    FutureTask<T> task = new FutureTask<>(call);
    Thread.ofVirtual().start(task);
    return task;
  }

  private FutureTask<Integer> beginSettling(String rider, int count) {
    return begin(() -> settlements.settle(rider, due(rider, count), AT));
  }

  private boolean shows(String line) {
    String all = new String(meters.scrape(), StandardCharsets.UTF_8);
    return all.lines().anyMatch(line::equals);
  }

  private void awaitShown(String line) {
    while (!shows(line)) {
      LockSupport.parkNanos(100_000);
    }
  }

  @Test
  void settles_inPieces_andAddsUp() throws Exception {
    assertThat(settlements.settle("r", due("m", 103), AT)).isEqualTo(103);
    assertThat(store.pieces()).hasSize(11).allMatch(piece -> piece.riderId().equals("r"));
    List<Due> all = new ArrayList<>();
    store.pieces().forEach(piece -> all.addAll(piece.due()));
    assertThat(all).containsExactlyInAnyOrderElementsOf(due("m", 103));
    assertThat(store.pieces().stream().map(piece -> piece.due().size()))
        .containsOnly(10, 3)
        .containsOnlyOnce(3);
    assertThat(shows("gilmok_missions_settled_total 103.0")).isTrue();
    assertThat(shows("gilmok_missions_settling_pieces 0.0")).isTrue();
    assertThat(shows("gilmok_missions_settling_pieces_max 40.0")).isTrue();
    assertThat(shows("gilmok_missions_settling_writers_max 8.0")).isTrue();
    assertThat(shows("gilmok_missions_settling_seconds_count 1")).isTrue();
  }

  @Test
  void nothingDue_asksNobody() throws Exception {
    assertThat(settlements.settle("r", List.of(), AT)).isZero();
    assertThat(store.pieces()).isEmpty();
  }

  @Test
  void whatTheStoreDidNotSettle_isNotCounted() throws Exception {
    store.settlesOf("m7", 0);
    assertThat(settlements.settle("r", due("m", 30), AT)).isEqualTo(20);
  }

  @Test
  void noRoomForAll_settlesNothing() throws Exception {
    use(new SettlingConfig(4, 1), LONG);
    assertThat(settlements.settle("too many", due("m", 41), AT)).isEqualTo(SettlementWriter.BUSY);
    assertThat(store.pieces()).isEmpty();
    store.shut();
    FutureTask<Integer> first = beginSettling("first", 40);
    store.awaitInside(1);
    assertThat(settlements.settle("r", due("m", 11), AT)).isEqualTo(SettlementWriter.BUSY);
    FutureTask<Integer> second = beginSettling("second", 10);
    awaitShown("gilmok_missions_settling_pieces 4.0");
    assertThat(settlements.settle("r", due("m", 1), AT)).isEqualTo(SettlementWriter.BUSY);
    assertThat(shows("gilmok_missions_settling_refused_total 3.0")).isTrue();
    store.open();
    assertThat(first.get()).isEqualTo(40);
    assertThat(second.get()).isEqualTo(10);
    assertThat(store.pieces()).noneMatch(piece -> piece.riderId().startsWith("r"));
    assertThat(settlements.settle("r", due("m", 40), AT)).isEqualTo(40);
  }

  @Test
  void asManyPiecesAsWriters_areInTheStoreAtOnce_andNotOneMore() throws Exception {
    store.shut();
    List<FutureTask<Integer>> all = new ArrayList<>();
    for (String rider : List.of("a", "b", "c")) {
      all.add(beginSettling(rider, 100));
    }
    store.awaitInside(8);
    awaitShown("gilmok_missions_settling_pieces 22.0");
    assertThat(shows("gilmok_missions_settling_writers 8.0")).isTrue();
    store.open();
    for (FutureTask<Integer> one : all) {
      assertThat(one.get()).isEqualTo(100);
    }
    assertThat(store.insideMost()).isEqualTo(8);
  }

  @Test
  void oneRequest_leavesRoomForOthers() throws Exception {
    store.shut();
    FutureTask<Integer> large = beginSettling("large", 400);
    store.awaitInside(6);
    awaitShown("gilmok_missions_settling_pieces 34.0");
    store.letThrough("small");
    assertThat(settlements.settle("small", due("m", 1), AT)).isEqualTo(1);
    assertThat(store.insideMost()).as("six of the large one, one of the small").isEqualTo(7);
    store.open();
    assertThat(large.get()).isEqualTo(400);
    assertThat(store.insideMost()).isBetween(6, 7);
  }

  @Test
  void requests_takeTurns() throws Exception {
    use(new SettlingConfig(40, 1), LONG);
    store.shut();
    FutureTask<Integer> large = beginSettling("large", 300);
    store.awaitInside(1);
    FutureTask<Integer> other = beginSettling("other", 20);
    awaitShown("gilmok_missions_settling_pieces 31.0");
    FutureTask<Integer> small = beginSettling("small", 1);
    awaitShown("gilmok_missions_settling_pieces 32.0");
    store.open();
    assertThat(small.get()).isEqualTo(1);
    assertThat(other.get()).isEqualTo(20);
    assertThat(large.get()).isEqualTo(300);
    List<String> riders = store.pieces().stream().map(ScriptedStore.Piece::riderId).toList();
    assertThat(riders.indexOf("small")).as("the next whose turn it is").isBetween(1, 3);
    assertThat(riders.lastIndexOf("other")).isBetween(3, 6);
  }

  @Test
  void pieceThatFails_isToldForAll_andTheOthersAreSettled() throws Exception {
    IOException away = new IOException("away");
    store.failsAt("m15", away);
    assertThatThrownBy(() -> settlements.settle("r", due("m", 50), AT)).isSameAs(away);
    assertThat(store.pieces()).hasSize(5);
    assertThat(shows("gilmok_missions_settled_total 40.0")).isTrue();
    store.failsAt("none", away);
    assertThat(settlements.settle("r", due("m", 50), AT)).isEqualTo(50);
  }

  @Test
  void bug_isToldAsOne_andEndsNoWriter() throws Exception {
    use(new SettlingConfig(40, 1), LONG);
    for (Throwable bug : List.of(new IllegalArgumentException("bug"), new AssertionError("bug"))) {
      store.failsAt("m15", bug);
      assertThatThrownBy(() -> settlements.settle("r", due("m", 50), AT))
          .isInstanceOf(IllegalStateException.class)
          .hasCause(bug);
    }
    assertThat(store.pieces()).hasSize(10);
  }

  @Test
  void whoeverIsInterrupted_leavesTheQueue() throws Exception {
    use(new SettlingConfig(4, 1), LONG);
    store.shut();
    FutureTask<Integer> waiting = new FutureTask<>(() -> settlements.settle("r", due("r", 40), AT));
    Thread caller = Thread.ofVirtual().start(waiting);
    store.awaitInside(1);
    caller.interrupt();
    assertThatThrownBy(waiting::get).hasCauseInstanceOf(InterruptedException.class);
    assertThat(shows("gilmok_missions_settling_pieces 0.0")).isTrue();
    FutureTask<Integer> next = beginSettling("next", 40);
    awaitShown("gilmok_missions_settling_pieces 4.0");
    store.open();
    assertThat(next.get()).isEqualTo(40);
    assertThat(store.pieces().stream().map(ScriptedStore.Piece::riderId))
        .containsExactly("r", "next", "next", "next", "next");
  }

  @Test
  void close_settlesWhatWasTaken_andTakesNoMore() throws Exception {
    store.shut();
    FutureTask<Integer> taken = beginSettling("r", 100);
    store.awaitInside(6);
    store.letThrough("late");
    FutureTask<Boolean> closed =
        begin(
            () -> {
              settlements.close();
              return true;
            });
    while (settlements.settle("late", due("late", 1), AT) != SettlementWriter.BUSY) {
      Thread.onSpinWait();
    }
    assertThat(closed.isDone()).isFalse();
    store.open();
    assertThat(taken.get()).isEqualTo(100);
    assertThat(closed.get()).isTrue();
  }

  @Test
  void close_whenTheStoreHangs_failsWhatIsNotSettled() throws Exception {
    use(new SettlingConfig(40, 4), Duration.ofMillis(1));
    store.shut();
    FutureTask<Integer> large = beginSettling("large", 200);
    store.awaitInside(3);
    FutureTask<Integer> more = beginSettling("more", 100);
    store.awaitInside(4);
    awaitShown("gilmok_missions_settling_pieces 26.0");
    settlements.close();
    for (FutureTask<Integer> one : List.of(large, more)) {
      assertThatThrownBy(one::get)
          .hasCauseInstanceOf(IOException.class)
          .hasMessageContaining("stopping");
    }
    assertThat(store.pieces()).hasSize(4);
    awaitShown("gilmok_missions_settling_pieces 0.0");
    assertThat(settlements.settle("r", due("m", 1), AT)).isEqualTo(SettlementWriter.BUSY);
    settlements.close();
  }

  @Test
  void closerWhoIsInterrupted_doesNotWait() throws Exception {
    store.shut();
    FutureTask<Integer> taken = beginSettling("r", 100);
    store.awaitInside(6);
    Thread.currentThread().interrupt();
    settlements.close();
    assertThat(Thread.interrupted()).isTrue();
    assertThatThrownBy(taken::get).hasCauseInstanceOf(IOException.class);
  }
}

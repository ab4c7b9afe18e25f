package gilmok.privacy;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.background.BackgroundLoops;
import gilmok.observe.Meters;
import gilmok.observe.Readiness;
import gilmok.runtime.LoopWatch;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a store of the register does, whichever database keeps it; and the register over it. */
@SuppressWarnings("NullAway.Init") // open() is called before each test
abstract class RegisterStoreContract {
  private static final long NOON = Instant.parse("2026-03-01T12:00:00Z").toEpochMilli();
  private static final long HOUR = 3_600_000;

  private final Meters meters = new Meters();
  private RegisterStore store;
  private long now = NOON;

  /** A store in a database of its own. */
  abstract RegisterStore open() throws IOException, InterruptedException;

  /** Ends what {@link #open} began. */
  abstract void close() throws IOException;

  @BeforeEach
  void opened() throws Exception {
    store = open();
  }

  @AfterEach
  void closed() throws Exception {
    meters.close();
    close();
  }

  private Register register() {
    Readiness readiness = new Readiness(meters, "server");
    InstantSource clock = () -> Instant.ofEpochMilli(now);
    return new Register(
        Duration.ofDays(183),
        new Register.Means(
            store,
            MemoryConsents.PSEUDONYMS,
            "node",
            clock,
            new SplittableRandom(1),
            meters,
            new BackgroundLoops(new LoopWatch(meters, readiness))));
  }

  private List<RegisterRow> page(@Nullable String rider, @Nullable String key) throws Exception {
    String pseudonym = rider == null ? null : MemoryConsents.PSEUDONYMS.of(rider);
    return store.page(new RegisterStore.Question(pseudonym, key, "0", "g", 0, Long.MAX_VALUE, 100));
  }

  @Test
  void nothing_isThereBeforeTheFirstRow() throws Exception {
    assertThat(page(null, null)).isEmpty();
    assertThat(store.names(List.of("p-x"))).isEmpty();
    assertThat(store.forget("p-x")).isZero();
    assertThat(store.remove("g")).isZero();
  }

  @Test
  void seen_isThereAtOnce_eachTime_underThePseudonym() throws Exception {
    Register register = register();
    register.seen("k1", "trace", List.of("r1", "r2"));
    now++;
    register.seen("k1", "trace", List.of("r1"));
    register.seen("k2", "export", List.of());
    assertThat(page("r1", null)).hasSize(2).allMatch(row -> row.key().equals("k1"));
    assertThat(page("r1", null).getFirst().fromMillis()).isEqualTo(NOON + 1);
    assertThat(page(null, "k1")).hasSize(3);
    assertThat(page("r2", "k1")).hasSize(1);
    assertThat(page("r2", "k2")).isEmpty();
    assertThat(page(null, null)).hasSize(4).noneMatch(row -> row.toString().contains("r1"));
    String pseudonym = MemoryConsents.PSEUDONYMS.of("r1");
    assertThat(store.names(List.of(pseudonym, "p-x"))).isEqualTo(Map.of(pseudonym, "r1"));
    assertThat(register.forget("r1")).isEqualTo(1);
    assertThat(store.names(List.of(pseudonym))).isEmpty();
    assertThat(page("r1", null)).as("the rows stay").hasSize(2);
    assertThat(register.forget("r1")).isZero();
  }

  @Test
  void whoWasForgotten_isKnownAgain_byWhatIsCollected_notByWhoAsks() throws Exception {
    Register register = register();
    String pseudonym = MemoryConsents.PSEUDONYMS.of("r1");
    register.seen("k1", "trace", List.of("r1"));
    register.forget("r1");
    register.forget("never known");
    register.seen("k1", "trace", List.of("r1", "never known"));
    register.given("r1", "customer");
    register.flush();
    assertThat(page("r1", null)).hasSize(3);
    String never = MemoryConsents.PSEUDONYMS.of("never known");
    assertThat(store.names(List.of(pseudonym, never))).isEmpty();
    RegisterRow collected =
        new RegisterRow(
            RegisterRow.time(now) + "-x",
            RegisterRow.Kind.COLLECTED,
            pseudonym,
            "",
            "traces",
            now,
            now,
            1,
            "node");
    store.add(List.of(collected), Map.of(pseudonym, "r1"));
    assertThat(store.names(List.of(pseudonym, never))).isEqualTo(Map.of(pseudonym, "r1"));
    assertThat(register.forget("r1")).isOne();
    assertThat(store.names(List.of(pseudonym))).isEmpty();
  }

  @Test
  void sums_areByKeyAndHour_andAddUp() throws Exception {
    Register register = register();
    for (int i = 0; i < 3; i++) {
      now = NOON + i;
      assertThat(register.sum("k1", "near")).isTrue();
    }
    register.sum("k2", "near");
    register.given("r1", "customer");
    register.flush();
    now = NOON + 100;
    register.sum("k1", "near");
    register.flush();
    now = NOON + HOUR;
    register.sum("k1", "near");
    register.flush();
    register.flush();
    List<RegisterRow> rows = page(null, "k1");
    assertThat(rows).extracting(RegisterRow::count).containsExactly(1L, 4L);
    assertThat(rows.getLast().fromMillis()).isEqualTo(NOON);
    assertThat(rows.getLast().toMillis()).isEqualTo(NOON + 100);
    RegisterRow given = page("r1", null).getFirst();
    assertThat(given.kind()).isEqualTo(RegisterRow.Kind.GIVEN);
    assertThat(given.what()).isEqualTo("customer");
  }

  @Test
  void rows_areRemovedAfterTheirTime_andNotBefore() throws Exception {
    Register register = register();
    register.seen("k", "trace", List.of("old"));
    now = NOON + Duration.ofDays(10).toMillis();
    register.seen("k", "trace", List.of("new"));
    now = NOON + Duration.ofDays(183).toMillis();
    register.pass();
    assertThat(page(null, null)).hasSize(2);
    now++;
    register.pass();
    assertThat(page(null, null)).hasSize(1);
    assertThat(page("new", null)).hasSize(1);
  }

  @Test
  void pages_areTheNewestFirst_fromTheCursorOn() throws Exception {
    Register register = register();
    for (int i = 0; i < 5; i++) {
      now = NOON + i;
      register.seen("k", "w" + i, List.of());
    }
    List<RegisterRow> first =
        store.page(
            new RegisterStore.Question(
                null, null, RegisterRow.time(NOON + 1), "g", 0, Long.MAX_VALUE, 2));
    assertThat(first).extracting(RegisterRow::what).containsExactly("w4", "w3");
    List<RegisterRow> next =
        store.page(
            new RegisterStore.Question(
                null,
                null,
                RegisterRow.time(NOON + 1),
                first.getLast().id(),
                0,
                Long.MAX_VALUE,
                5));
    assertThat(next).extracting(RegisterRow::what).containsExactly("w2", "w1");
  }
}

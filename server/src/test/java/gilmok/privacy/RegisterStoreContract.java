package gilmok.privacy;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.privacy.RegisterRow.Act;
import gilmok.privacy.RegisterRow.Kind;
import gilmok.storage.FileDisk;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a store of the register does, whichever database keeps it; and the register over it. */
@SuppressWarnings("NullAway.Init") // open() is called before each test
abstract class RegisterStoreContract {
  private static final long NOON = Instant.parse("2026-03-01T12:00:00Z").toEpochMilli();
  private static final long HOUR = 3_600_000;

  private static final Act TRACE = Act.of(Kind.SEEN, "trace", Use.HISTORY);
  private static final Act NEAR = Act.of(Kind.SEEN, "near", Use.DISPATCH);

  @TempDir Path journal;
  RegisterStore store;
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
    close();
  }

  private Register register() throws IOException {
    return RegisterRig.register(store, new FileDisk(), journal, () -> Instant.ofEpochMilli(now));
  }

  private List<RegisterRow> page(@Nullable String rider, @Nullable String who) throws Exception {
    String pseudonym = rider == null ? null : MemoryConsents.PSEUDONYMS.of(rider);
    return store.page(new RegisterStore.Question(pseudonym, who, "0", "g", 0, Long.MAX_VALUE, 100));
  }

  @Test
  void nothing_isThereBeforeTheFirstRow() throws Exception {
    assertThat(page(null, null)).isEmpty();
    assertThat(store.names(List.of("p-x"))).isEmpty();
    assertThat(store.forget("p-x")).isZero();
    assertThat(store.remove("g")).isZero();
  }

  @Test
  void seen_eachTime_underThePseudonym_andMovedTwiceIsThereOnce() throws Exception {
    Register register = register();
    register.write(TRACE, "k1", List.of("r1", "r2"));
    now++;
    register.write(TRACE, "k1", List.of("r1"));
    register.write(Act.of(Kind.SEEN, "export", Use.COPY), "k2", List.of());
    assertThat(page(null, null)).as("only on this node's disk").isEmpty();
    register.flush();
    assertThat(page("r1", null)).hasSize(2).allMatch(row -> row.who().equals("k1"));
    assertThat(page("r1", null).getFirst().span().fromMillis()).isEqualTo(NOON + 1);
    assertThat(page(null, "k1")).hasSize(3);
    assertThat(page("r2", "k1")).hasSize(1);
    assertThat(page("r2", "k2")).isEmpty();
    assertThat(page(null, null)).hasSize(4).noneMatch(row -> row.toString().contains("r1"));
    assertThat(page(null, "k2").getFirst().basis()).isEqualTo("contract");
    assertThat(page("r2", null).getFirst().basis()).isEqualTo("consent");
    assertThat(page("r2", null).getFirst().purposes()).isEqualTo("history");
    List<RegisterRow> all = page(null, null);
    store.put(all);
    assertThat(page(null, null)).isEqualTo(all);
  }

  @Test
  void names_areOfWhoIsCollectedOrGiven_notOfWhoIsAskedFor() throws Exception {
    Register register = register();
    register.write(TRACE, "k1", List.of("r1"));
    assertThat(register.given(Act.PARTNER, "r2", "shop/s")).isTrue();
    register.flush();
    String asked = MemoryConsents.PSEUDONYMS.of("r1");
    String given = MemoryConsents.PSEUDONYMS.of("r2");
    assertThat(store.names(List.of(asked, given))).isEqualTo(Map.of(given, "r2"));
    assertThat(register.forget("r2")).isEqualTo(1);
    assertThat(register.given(Act.PARTNER, given, "shop/s")).isTrue();
    register.flush();
    assertThat(store.names(List.of(given)))
        .as("an erased rider's pseudonym names nobody")
        .isEmpty();
    assertThat(page("r2", null)).as("the rows stay").hasSize(1);
    assertThat(page("r2", null).getFirst().span().count()).isEqualTo(2);
  }

  @Test
  void sums_areByKeyAndHour_andAddUp() throws Exception {
    Register register = register();
    for (int i = 0; i < 3; i++) {
      now = NOON + i;
      assertThat(register.sum(NEAR, "k1")).isTrue();
    }
    register.sum(NEAR, "k2");
    register.given(Act.CUSTOMER, "r1", "");
    register.flush();
    now = NOON + 100;
    register.sum(NEAR, "k1");
    register.flush();
    now = NOON + HOUR;
    register.sum(NEAR, "k1");
    register.flush();
    register.flush();
    List<RegisterRow> rows = page(null, "k1");
    assertThat(rows).extracting(row -> row.span().count()).containsExactly(1L, 4L);
    assertThat(rows.getLast().span().fromMillis()).isEqualTo(NOON);
    assertThat(rows.getLast().span().toMillis()).isEqualTo(NOON + 100);
    RegisterRow given = page("r1", null).getFirst();
    assertThat(given.kind()).isEqualTo(Kind.GIVEN);
    assertThat(given.what()).isEqualTo("customer");
    assertThat(given.span().count()).isEqualTo(1);
  }

  /** A killed process loses what it has in memory, and no more. */
  @Test
  void killed_aSumLacksCounts_butIsThere() throws Exception {
    Register killed = register();
    killed.begin(NEAR, "k1");
    killed.sum(NEAR, "k1");
    killed.given(Act.PARTNER, "r1", "agency/a");
    killed.given(Act.PARTNER, "r1", "agency/a");
    Register next = register();
    next.flush();
    assertThat(page(null, "k1")).extracting(row -> row.span().count()).containsExactly(0L);
    assertThat(page("r1", "agency/a")).extracting(row -> row.span().count()).containsExactly(0L);
    next.begin(NEAR, "k1");
    next.sum(NEAR, "k1");
    next.flush();
    assertThat(page(null, "k1")).extracting(row -> row.span().count()).containsExactly(1L);
  }

  @Test
  void rows_areRemovedWithinAnHourOfTheirTime_andNotBefore() throws Exception {
    Register register = register();
    register.write(TRACE, "k", List.of("old"));
    register.flush();
    now = NOON + Duration.ofDays(10).toMillis();
    register.write(TRACE, "k", List.of("new"));
    now = NOON + Duration.ofDays(183).toMillis();
    register.pass();
    assertThat(page(null, null)).hasSize(2);
    now += Duration.ofHours(1).toMillis(); // it is looked for once an hour
    register.pass();
    assertThat(page(null, null)).hasSize(1);
    assertThat(page("new", null)).hasSize(1);
  }

  @Test
  void pages_areTheNewestFirst_fromTheCursorOn() throws Exception {
    Register register = register();
    for (int i = 0; i < 5; i++) {
      now = NOON + i;
      register.write(Act.of(Kind.SEEN, "w" + i, Use.COPY), "k", List.of());
    }
    register.flush();
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

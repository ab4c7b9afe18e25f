package gilmok.audit;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.event.RiderAlias;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What an audit's store does, whichever database keeps it. */
@SuppressWarnings("NullAway.Init") // open() is called before each test
abstract class AuditStoreContract {
  private static final long NOW = 1_000_000;
  private static final long LATER = NOW + 1000;

  private AuditStore store;

  /** A store in a database of its own. */
  abstract AuditStore open() throws IOException, InterruptedException;

  /** Puts a pseudonym in a rider's place; returns in how many entries. */
  abstract long rename(RiderAlias alias) throws IOException, InterruptedException;

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

  private static AuditStore.Row row(String id, String key, String json, boolean isLast) {
    return new AuditStore.Row(id, key, json, LATER, isLast);
  }

  private List<String> page(String from, String below, @Nullable String key, int limit)
      throws Exception {
    return store.page(new AuditStore.Question(from, below, key, limit), NOW).stream()
        .map(one -> one.id() + " " + one.key() + " " + one.json())
        .toList();
  }

  @Test
  void page_nothingWasPut_isEmpty() throws Exception {
    assertThat(page("0", "z", null, 10)).isEmpty();
  }

  @Test
  void page_isTheRange_theNewestFirst_ofAKeyIfAsked_andNoMoreThanTheLimit() throws Exception {
    store.put(
        List.of(
            row("a", "k1", "1", false),
            row("b", "k2", "2", false),
            row("c", "k1", "3", false),
            row("d", "k1", "4", false)),
        NOW);

    assertThat(page("a", "d", null, 10)).containsExactly("c k1 3", "b k2 2", "a k1 1");
    assertThat(page("a", "z", "k1", 2)).containsExactly("d k1 4", "c k1 3");
    assertThat(page("b", "d", "k1", 10)).containsExactly("c k1 3");
    assertThat(page("a", "z", "k3", 10)).isEmpty();
  }

  @Test
  void put_whatBecameOfAChange_replaces_andIsNotReplacedByWhatCameBefore() throws Exception {
    store.put(List.of(row("a", "k1", "before", false)), NOW);
    store.put(List.of(row("a", "k1", "after", true)), NOW);
    store.put(List.of(row("a", "k1", "before", false), row("b", "k1", "last", true)), NOW);
    store.put(List.of(row("b", "k1", "first", false)), NOW);

    assertThat(page("0", "z", null, 10)).containsExactly("b k1 last", "a k1 after");
  }

  @Test
  void put_twiceInOneCall_theLastRemains() throws Exception {
    store.put(List.of(row("a", "k1", "before", false), row("a", "k1", "after", true)), NOW);

    assertThat(page("0", "z", null, 10)).containsExactly("a k1 after");
  }

  @Test
  void page_whatHasExpired_isNotShown() throws Exception {
    store.put(List.of(row("a", "k1", "1", false)), NOW);

    AuditStore.Question all = new AuditStore.Question("0", "z", null, 10);
    assertThat(store.page(all, LATER - 1)).hasSize(1);
    assertThat(store.page(all, LATER)).isEmpty();
  }

  @Test
  void put_asManyAsOneCallTakes() throws Exception {
    List<AuditStore.Row> many =
        IntStream.range(0, AuditStore.ENTRIES_MAX)
            .mapToObj(i -> row("%05d".formatted(i), "k1", "x", i % 2 == 0))
            .toList();
    store.put(many, NOW);
    store.put(many, NOW);

    assertThat(page("0", "z", "k1", AuditStore.ENTRIES_MAX)).hasSize(AuditStore.ENTRIES_MAX);
  }

  @Test
  void renamed_entriesThatNameTheRider_haveThePseudonym() throws Exception {
    RiderAlias alias = new RiderAlias("rider-7", "p-abc");
    assertThat(rename(alias)).as("without a table").isZero();
    List<AuditStore.Row> all = new ArrayList<>();
    for (int i = 0; i < 700; i++) {
      String rider = i % 7 == 0 ? "rider-7" : "rider-70";
      all.add(
          row(String.format("e%03d", i), "k1", "{\"after\":{\"rider\":\"" + rider + "\"}}", false));
    }
    store.put(all, NOW);
    assertThat(rename(alias)).isEqualTo(100);
    assertThat(page("e000", "e002", null, 10))
        .containsExactly(
            "e001 k1 {\"after\":{\"rider\":\"rider-70\"}}",
            "e000 k1 {\"after\":{\"rider\":\"p-abc\"}}");
    assertThat(rename(alias)).isZero();
  }
}

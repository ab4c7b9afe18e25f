package gilmok.deliveries;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.deliveries.DeliveryStore.Filter;
import java.io.IOException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The contract of listing deliveries, whatever stores them. */
abstract class DeliveryListContract {
  private static final Filter ANY = new Filter(null, null, null, null, null, null);

  private final Day day = new Day();
  private final List<Delivery> all = new ArrayList<>();
  private StoreRig rig;
  private DeliveryStore store;

  /** Empty stores that read this clock. */
  abstract StoreRig open(InstantSource clock) throws IOException, InterruptedException;

  /**
   * Creates deliveries of two shops, some of them with an agency, in all states but DECLINED; some
   * are created in the same millisecond, the others a second apart.
   */
  @BeforeEach
  final void begin() throws IOException, InterruptedException {
    rig = open(day);
    store = rig.deliveries();
    for (int i = 0; i < 60; i++) {
      day.pass(i % 3 == 0 ? 0 : 1_000);
      Delivery delivery =
          day.created(store, day.delivery("shop-" + i % 2, i % 5 == 0 ? null : "agency-" + i % 3));
      List<Move> moves =
          List.of(
              day.move(Step.ACCEPT),
              day.assign("rider-" + i % 4),
              day.move(Step.PICK_UP),
              day.move(i % 7 == 0 ? Step.FAIL : Step.COMPLETE));
      int steps = i % 6;
      if (steps == 5) {
        delivery = day.moved(store, delivery.id(), day.move(Step.CANCEL));
      } else if (steps > 0) {
        delivery = day.moved(store, delivery.id(), moves.subList(0, steps).toArray(Move[]::new));
      }
      all.add(delivery);
    }
    all.sort(Comparator.comparing(Delivery::id).reversed());
  }

  @AfterEach
  final void end() throws IOException {
    rig.close();
  }

  @Test
  void list_any_newestFirst() throws Exception {
    assertThat(store.list(ANY, null, 1_000)).isEqualTo(all);
  }

  @Test
  void list_byEachFilter_hasThoseAlone() throws Exception {
    for (Status status : Status.values()) {
      list(new Filter(status, null, null, null, null, null), one -> one.status() == status);
    }
    for (int i = 0; i < 5; i++) {
      String rider = "rider-" + i;
      list(new Filter(null, rider, null, null, null, null), one -> rider.equals(one.riderId()));
      String shop = "shop-" + i;
      list(
          new Filter(null, null, shop, null, null, null), one -> shop.equals(one.order().shopId()));
      String agency = "agency-" + i;
      list(new Filter(null, null, null, agency, null, null), one -> agency.equals(one.agencyId()));
    }
  }

  @Test
  void list_byTime_includesItsBeginningAndNotItsEnd() throws Exception {
    long from = all.get(40).createdAtMillis();
    long to = all.get(10).createdAtMillis();
    list(new Filter(null, null, null, null, from, null), one -> one.createdAtMillis() >= from);
    list(new Filter(null, null, null, null, null, to), one -> one.createdAtMillis() < to);
    list(
        new Filter(null, null, null, null, from, to),
        one -> one.createdAtMillis() >= from && one.createdAtMillis() < to);
    list(new Filter(null, null, null, null, to, from), _ -> false);
    list(new Filter(null, null, null, null, 0L, Long.MAX_VALUE >> 16), _ -> true);
  }

  @Test
  void list_byEverything() throws Exception {
    int found = 0;
    for (Status status : Status.values()) {
      for (int i = 0; i < 4; i++) {
        String rider = "rider-" + i;
        long from = all.get(50).createdAtMillis();
        Filter filter = new Filter(status, rider, "shop-0", "agency-2", from, day.millis());
        found +=
            list(
                filter,
                one ->
                    one.status() == status
                        && rider.equals(one.riderId())
                        && one.order().shopId().equals("shop-0")
                        && Objects.equals(one.agencyId(), "agency-2")
                        && one.createdAtMillis() >= from
                        && one.createdAtMillis() < day.millis());
      }
    }
    assertThat(found).isPositive();
  }

  @Test
  void list_inPages_hasEachOnce() throws Exception {
    for (Filter filter :
        List.of(
            ANY,
            new Filter(null, null, "shop-1", null, null, null),
            new Filter(Status.ACCEPTED, null, null, null, null, null))) {
      List<Delivery> whole = store.list(filter, null, 1_000);
      List<Delivery> paged = new ArrayList<>();
      String before = null;
      for (List<Delivery> page = page(filter, before);
          !page.isEmpty();
          page = page(filter, before)) {
        paged.addAll(page);
        before = page.getLast().id();
        assertThat(paged.size()).isLessThanOrEqualTo(whole.size());
      }
      assertThat(paged).isEqualTo(whole);
    }
  }

  @Test
  void list_someCannotBeRead_areLeftOutAndCounted_andEachPageIsFullBeforeTheLast()
      throws Exception {
    List<Delivery> sound = new ArrayList<>(all);
    for (int damaged : new int[] {59, 30, 7, 6, 5, 0}) {
      rig.damage(sound.remove(damaged).id());
    }
    assertThat(store.list(ANY, null, 1_000)).isEqualTo(sound);
    assertThat(rig.metric("gilmok_deliveries_unreadable_total")).isEqualTo(6);
    List<Delivery> paged = new ArrayList<>(page(ANY, null));
    for (int i = 0; i < 6; i++) {
      assertThat(paged).hasSize(7 * (i + 1));
      paged.addAll(page(ANY, paged.getLast().id()));
    }
    assertThat(paged).isEqualTo(sound.subList(0, 49));
    assertThat(page(ANY, paged.getLast().id())).isEqualTo(sound.subList(49, 54));
  }

  @Test
  void list_whileMoreAreCreated_pagesGoOnWhereTheyWere() throws Exception {
    List<Delivery> page = page(ANY, null);
    day.pass(1_000);
    day.created(store, day.delivery());
    assertThat(page(ANY, page.getLast().id())).isEqualTo(all.subList(7, 14));
  }

  private List<Delivery> page(Filter filter, @Nullable String before) throws Exception {
    List<Delivery> page = store.list(filter, before, 7);
    assertThat(page).hasSizeLessThanOrEqualTo(7);
    return page;
  }

  private int list(Filter filter, Predicate<Delivery> meant) throws Exception {
    List<Delivery> expected = all.stream().filter(meant).toList();
    assertThat(store.list(filter, null, 1_000)).as(filter.toString()).isEqualTo(expected);
    return expected.size();
  }
}

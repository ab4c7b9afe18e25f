package gilmok.deliveries;

import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Archives deliveries that are older than {@code deliveries.keep}, then removes them. One that has
 * not ended, or of which an event still waits for the log, the shop or the agency, stays. Entries
 * of statements are made from the log, which keeps an event until that has been done.
 *
 * <p>Each pass is one small step, after which it rests: four times as long as the step took, and
 * longer while many requests are in flight. So it takes a fifth of the writer's time at most, and
 * less when the store is slow.
 *
 * <ol>
 *   <li>It looks for ended deliveries, a page at a time, and plans with the first {@link
 *       #PLAN_ROWS}, or with those of a day if that is fewer.
 *   <li>The plan is stored; then the file is written and made durable; then the plan is stored as
 *       archived. Whoever goes on after a kill writes the same deliveries under the same name.
 *   <li>They are removed, {@link #STEP_ROWS} at a time. One that has changed since stays, and is
 *       archived again later.
 *   <li>The plan is forgotten, and room is given back.
 * </ol>
 *
 * <p>Called by its loop's thread.
 */
final class DeliveryHousekeeper {
  /** The most deliveries of one file. */
  static final int PLAN_ROWS = 5_000;

  /** Deliveries that one step removes: some milliseconds of the writer. */
  static final int STEP_ROWS = 50;

  private static final int PAGE_ROWS = 100;
  private static final long DAY_MILLIS = 24 * 3_600_000L;
  private static final long LEASE_MILLIS = 60_000;
  private static final long RENEWED_MILLIS = 20_000;
  private static final long PAUSE_NANOS_MIN = 10_000_000L;
  private static final long LOADED_NANOS = 1_000_000_000L;

  /** How long it rests when there is nothing to do. */
  static final long IDLE_NANOS = 5_000_000_000L;

  /** A rest of this many times the step leaves the store four fifths of its time. */
  private static final int RESTS = 4;

  private final DeliveryRemoval removal;
  private final DeliveryArchive archive;
  private final Supplier<Duration> keep;
  private final BooleanSupplier isLoaded;
  private final String node;
  private final InstantSource clock;
  private final RemovalMeters meters;
  private final List<RemovalPlan.Row> chosen = new ArrayList<>();
  private boolean isLeading;
  private long renewAtMillis;
  private @Nullable RemovalPlan plan;
  private int next;
  private boolean isShrinking = true;
  private String cursor = "";
  private long lookMillis;
  private int open;
  private int untold;
  private int unreadable;

  /**
   * A housekeeper that has not looked yet.
   *
   * @param isLoaded whether so much is asked for that this should wait
   */
  DeliveryHousekeeper(
      DeliveryRetention retention,
      BooleanSupplier isLoaded,
      String node,
      InstantSource clock,
      RemovalMeters meters) {
    removal = retention.removal();
    archive = retention.archive();
    keep = retention.keep();
    this.isLoaded = isLoaded;
    this.node = node;
    this.clock = clock;
    this.meters = meters;
  }

  /**
   * Makes one step.
   *
   * @return nanoseconds until the next
   */
  long pass() throws IOException, InterruptedException {
    long keepMillis = keep.get().toMillis();
    long now = clock.millis();
    if (keepMillis == 0 || !leads(now)) {
      return IDLE_NANOS;
    }
    if (isLoaded.getAsBoolean()) {
      meters.deferred.increment();
      return LOADED_NANOS;
    }
    long began = System.nanoTime();
    boolean hasMore = step(now, keepMillis);
    long took = System.nanoTime() - began;
    return hasMore ? Math.max(PAUSE_NANOS_MIN, RESTS * took) : IDLE_NANOS;
  }

  /** Renews the lease in time; without it, all that is known may be out of date. */
  private boolean leads(long now) throws IOException, InterruptedException {
    boolean isInTime = now < renewAtMillis && renewAtMillis - now <= RENEWED_MILLIS;
    if (isLeading && isInTime) {
      return true;
    }
    boolean before = isLeading && now < renewAtMillis + LEASE_MILLIS - RENEWED_MILLIS;
    isLeading = false;
    if (!removal.lead(node, now, now + LEASE_MILLIS)) {
      return false;
    }
    if (!before) {
      lookAnew(now);
      plan = removal.plan();
      next = 0;
    }
    renewAtMillis = now + RENEWED_MILLIS;
    isLeading = true;
    return true;
  }

  private void lookAnew(long now) {
    chosen.clear();
    cursor = "";
    lookMillis = now;
    open = 0;
    untold = 0;
    unreadable = 0;
  }

  /** Makes one step; returns whether there is more to do. */
  private boolean step(long now, long keepMillis) throws IOException, InterruptedException {
    RemovalPlan present = plan;
    if (present != null) {
      if (present.isArchived()) {
        remove(present);
      } else {
        archive(present, now - keepMillis);
      }
      return true;
    }
    if (isShrinking) {
      isShrinking = removal.shrink();
      return true;
    }
    return look(now, now - keepMillis);
  }

  /** Looks at a page of those created before then; plans when there are enough. */
  private boolean look(long now, long beforeMillis) throws IOException, InterruptedException {
    if (chosen.isEmpty() && Math.abs(now - lookMillis) >= DAY_MILLIS) {
      lookAnew(now); // some may have ended that had not
    }
    DeliveryRemoval.Page page = removal.page(cursor, DeliveryId.floor(beforeMillis), PAGE_ROWS);
    for (StoredDelivery one : page.rows()) {
      if (!hasEnded(one.delivery(), beforeMillis)) {
        open++;
      } else if (!one.isTold()) {
        untold++;
      } else {
        chosen.add(new RemovalPlan.Row(one.delivery().id(), one.revision()));
      }
    }
    unreadable += page.unreadable();
    String last = page.last();
    if (last != null) {
      cursor = last;
    } else {
      meters.overdue(open, untold, unreadable);
    }
    boolean isDue =
        last == null
            && !chosen.isEmpty()
            && DeliveryId.millis(chosen.getFirst().id()) < beforeMillis - DAY_MILLIS;
    if (chosen.size() >= PLAN_ROWS || isDue) {
      List<RemovalPlan.Row> rows = chosen.subList(0, Math.min(PLAN_ROWS, chosen.size()));
      RemovalPlan made = RemovalPlan.of(rows);
      removal.put(made);
      rows.clear();
      plan = made;
      return true;
    }
    return last != null;
  }

  private static boolean hasEnded(Delivery delivery, long beforeMillis) {
    return delivery.status().isEnd() && delivery.updatedAtMillis() < beforeMillis;
  }

  /** Writes the file, with what is still as it has to be; nothing was removed before. */
  private void archive(RemovalPlan present, long beforeMillis)
      throws IOException, InterruptedException {
    Reading reading = new Reading(present, beforeMillis);
    List<StoredDelivery> first = reading.next();
    if (first.isEmpty()) {
      removal.forget();
      plan = null;
      return;
    }
    List<RemovalPlan.Row> rows = new ArrayList<>(present.rows().size());
    List<List<StoredDelivery>> ahead = new ArrayList<>(List.of(first));
    archive.write(
        present.name(),
        () -> {
          List<StoredDelivery> page = ahead.isEmpty() ? reading.next() : ahead.removeFirst();
          page.forEach(one -> rows.add(new RemovalPlan.Row(one.delivery().id(), one.revision())));
          return page;
        });
    meters.archived.add(rows.size());
    RemovalPlan archived = new RemovalPlan(present.name(), true, rows);
    removal.put(archived);
    plan = archived;
    next = 0;
  }

  /** Reads the deliveries of a plan, a page at a time, without those that have to stay now. */
  private final class Reading implements DeliveryArchive.Pages {
    private final List<RemovalPlan.Row> rows;
    private final long beforeMillis;
    private int at;

    Reading(RemovalPlan plan, long beforeMillis) {
      rows = plan.rows();
      this.beforeMillis = beforeMillis;
    }

    @Override
    public List<StoredDelivery> next() throws IOException, InterruptedException {
      List<StoredDelivery> page = List.of();
      while (page.isEmpty() && at < rows.size()) {
        List<RemovalPlan.Row> part = rows.subList(at, Math.min(rows.size(), at + PAGE_ROWS));
        at += part.size();
        page =
            removal.find(part.stream().map(RemovalPlan.Row::id).toList()).stream()
                .filter(one -> one.isTold() && hasEnded(one.delivery(), beforeMillis))
                .toList();
      }
      return page;
    }
  }

  private void remove(RemovalPlan present) throws IOException, InterruptedException {
    List<RemovalPlan.Row> rows = present.rows();
    List<RemovalPlan.Row> part = rows.subList(next, Math.min(rows.size(), next + STEP_ROWS));
    long began = System.nanoTime();
    meters.removed.add(removal.remove(part));
    meters.stepSeconds.record(System.nanoTime() - began);
    next += part.size();
    if (next == rows.size()) {
      removal.forget();
      plan = null;
      isShrinking = true;
    }
  }
}

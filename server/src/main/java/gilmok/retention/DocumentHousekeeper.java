package gilmok.retention;

import gilmok.background.BackgroundLoop;
import gilmok.background.BackgroundLoops;
import gilmok.background.LowPriority;
import gilmok.observe.Meters;
import java.io.IOException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Archives documents of a kind that are older than they are kept, then removes them. One that has
 * to stay ({@link OldDocument#stays}) stays.
 *
 * <p>Each pass is one small step, after which it rests: by default four times as long as the step
 * took, and longer while many requests are in flight or the store is behind with what was written.
 * So it takes a fifth of the writer's time at most, and less when the store is slow.
 *
 * <ol>
 *   <li>It looks for old documents, a page at a time, and plans with the first {@link #PLAN_ROWS},
 *       or with those of a day if that is fewer.
 *   <li>The plan is stored; then the file is written and made durable; then the plan is stored as
 *       archived. Whoever goes on after a kill writes the same documents under the same name.
 *   <li>They are removed, {@link #STEP_ROWS} at a time. One that has changed since stays, and is
 *       archived again later.
 *   <li>The plan is forgotten, and room is given back.
 * </ol>
 *
 * <p>Called by its loop's thread.
 *
 * @param <T> a document
 */
public final class DocumentHousekeeper<T extends OldDocument> {
  /** The most documents of one file. */
  public static final int PLAN_ROWS = 5_000;

  /** Documents that one step removes: some milliseconds of the writer. */
  public static final int STEP_ROWS = 50;

  /** How long it rests when there is nothing to do. */
  public static final long IDLE_NANOS = 5_000_000_000L;

  private static final int PAGE_ROWS = 100;
  private static final long DAY_MILLIS = 24 * 3_600_000L;
  private static final long LEASE_MILLIS = 60_000;
  private static final long RENEWED_MILLIS = 20_000;
  private static final long PAUSE_NANOS_MIN = 10_000_000L;
  private static final long LOADED_NANOS = 1_000_000_000L;

  private final DocumentRetention<T> retention;
  private final DocumentRemoval<T> removal;
  private final RemovalPlans plans;
  private final BooleanSupplier isLoaded;
  private final String node;
  private final InstantSource clock;
  private final RemovalMeters meters;

  private boolean isLeading;
  private long renewAtMillis;
  private @Nullable RemovalPlan plan;
  private int next;

  /** When what was planned may be removed, by {@link System#nanoTime}. */
  private long settledNanos = System.nanoTime();

  private boolean isShrinking = true;

  // Of the look that goes on.
  private final List<Chosen> chosen = new ArrayList<>();
  private final Map<String, Integer> stay = new HashMap<>();
  private String cursor = "";
  private long lookMillis;
  private int unreadable;

  /** What was found to go. */
  private record Chosen(RemovalPlan.Row row, long sinceMillis, String label) {}

  /**
   * A housekeeper that has not looked yet.
   *
   * @param isLoaded whether so much is asked for that this should wait
   */
  public DocumentHousekeeper(
      DocumentRetention<T> retention,
      BooleanSupplier isLoaded,
      String node,
      InstantSource clock,
      Meters meters) {
    this.retention = retention;
    this.isLoaded = isLoaded;
    this.node = node;
    this.clock = clock;
    removal = retention.removal();
    plans = removal.plans();
    this.meters = new RemovalMeters(meters, retention.kind(), removal.causes());
  }

  /** The loop that does it; not started. */
  public BackgroundLoop loop(BackgroundLoops loops) {
    return loops.optional(
        retention.kind() + "-removal",
        "old documents are not archived and removed: " + retention.kind(),
        () -> {
          LowPriority.lower();
          return pass();
        });
  }

  /**
   * Makes one step.
   *
   * @return nanoseconds until the next
   */
  public long pass() throws IOException, InterruptedException {
    long keepMillis = retention.keep().get().toMillis();
    long now = clock.millis();
    if (keepMillis == 0 || !leads(now)) {
      meters.lag(0);
      return IDLE_NANOS;
    }
    if (isLoaded.getAsBoolean() || plans.isBehind()) {
      meters.deferred.increment();
      return LOADED_NANOS;
    }
    long began = System.nanoTime();
    boolean hasMore = step(now, now - keepMillis);
    long took = System.nanoTime() - began;
    return hasMore ? Math.max(PAUSE_NANOS_MIN, retention.rests() * took) : IDLE_NANOS;
  }

  /** Renews the lease in time; without it, all that is known may be out of date. */
  private boolean leads(long now) throws IOException, InterruptedException {
    boolean isInTime = now < renewAtMillis && renewAtMillis - now <= RENEWED_MILLIS;
    if (isLeading && isInTime) {
      return true;
    }
    boolean before = isLeading && now < renewAtMillis + LEASE_MILLIS - RENEWED_MILLIS;
    isLeading = false;
    if (!plans.lead(node, now, now + LEASE_MILLIS)) {
      return false;
    }
    if (!before) {
      lookAnew(now);
      begin(plans.plan());
    }
    renewAtMillis = now + RENEWED_MILLIS;
    isLeading = true;
    return true;
  }

  private void lookAnew(long now) {
    chosen.clear();
    stay.clear();
    cursor = "";
    lookMillis = now;
    unreadable = 0;
  }

  private void begin(@Nullable RemovalPlan begun) {
    plan = begun;
    next = 0;
    settledNanos = System.nanoTime() + removal.settleNanos();
  }

  /** Makes one step; returns whether there is more to do. */
  private boolean step(long now, long beforeMillis) throws IOException, InterruptedException {
    RemovalPlan present = plan;
    if (present != null) {
      if (!present.isArchived()) {
        archive(present, beforeMillis);
      } else if (System.nanoTime() - settledNanos >= 0) {
        remove(present);
      }
      return true;
    }
    if (isShrinking) {
      isShrinking = removal.shrink();
      return true;
    }
    return look(now, beforeMillis);
  }

  /** Looks at a page of those of a time before then; plans when there are enough. */
  private boolean look(long now, long beforeMillis) throws IOException, InterruptedException {
    if (chosen.isEmpty() && Math.abs(now - lookMillis) >= DAY_MILLIS) {
      lookAnew(now); // some may go that had to stay
    }
    DocumentRemoval.Page<T> page = removal.page(cursor, beforeMillis, PAGE_ROWS);
    for (T one : page.rows()) {
      String cause = one.stays(beforeMillis);
      if (cause != null) {
        stay.merge(cause, 1, Integer::sum);
      } else {
        RemovalPlan.Row row = new RemovalPlan.Row(one.id(), one.revision());
        chosen.add(new Chosen(row, one.sinceMillis(), one.label()));
      }
    }
    unreadable += page.unreadable();
    String last = page.last();
    if (last != null) {
      cursor = last;
    } else {
      meters.overdue(stay, unreadable);
    }
    long oldest = chosen.stream().mapToLong(Chosen::sinceMillis).min().orElse(beforeMillis);
    meters.lag(beforeMillis - oldest);
    boolean isDue = last == null && oldest < beforeMillis - DAY_MILLIS;
    if (chosen.size() >= PLAN_ROWS || isDue) {
      plan(chosen.subList(0, Math.min(PLAN_ROWS, chosen.size())));
      return true;
    }
    return last != null;
  }

  private void plan(List<Chosen> first) throws IOException, InterruptedException {
    String earliest = first.getFirst().label;
    String latest = earliest;
    long latestMillis = Long.MIN_VALUE;
    for (Chosen one : first) {
      earliest = one.label.compareTo(earliest) < 0 ? one.label : earliest;
      latest = one.label.compareTo(latest) > 0 ? one.label : latest;
      latestMillis = Math.max(latestMillis, one.sinceMillis);
    }
    RemovalPlan made =
        RemovalPlan.of(earliest + "-" + latest, first.stream().map(Chosen::row).toList());
    plans.put(made, removal.removedTo(made, latestMillis));
    first.clear();
    begin(made);
  }

  /** Writes the file, with what is still as it has to be; nothing was removed before. */
  private void archive(RemovalPlan present, long beforeMillis)
      throws IOException, InterruptedException {
    Reading reading = new Reading(present, beforeMillis);
    List<T> first = reading.next();
    if (first.isEmpty()) {
      plans.forget();
      plan = null;
      return;
    }
    List<RemovalPlan.Row> rows = new ArrayList<>(present.rows().size());
    List<List<T>> ahead = new ArrayList<>(List.of(first));
    retention
        .archive()
        .write(
            present.name(),
            () -> {
              List<T> page = ahead.isEmpty() ? reading.next() : ahead.removeFirst();
              page.forEach(one -> rows.add(new RemovalPlan.Row(one.id(), one.revision())));
              return page;
            });
    meters.archived.add(rows.size());
    RemovalPlan archived = new RemovalPlan(present.name(), true, rows);
    plans.put(archived, removal.removedTo(archived, reading.latestMillis));
    plan = archived;
    next = 0;
  }

  /** Reads the documents of a plan, a page at a time, without those that have to stay now. */
  private final class Reading implements DocumentArchive.Pages<T> {
    private final List<RemovalPlan.Row> rows;
    private final long beforeMillis;
    private int at;
    private long latestMillis = Long.MIN_VALUE;

    Reading(RemovalPlan plan, long beforeMillis) {
      rows = plan.rows();
      this.beforeMillis = beforeMillis;
    }

    @Override
    public List<T> next() throws IOException, InterruptedException {
      List<T> page = List.of();
      while (page.isEmpty() && at < rows.size()) {
        List<RemovalPlan.Row> part = rows.subList(at, Math.min(rows.size(), at + PAGE_ROWS));
        at += part.size();
        page =
            removal.find(part.stream().map(RemovalPlan.Row::id).toList()).stream()
                .filter(one -> one.stays(beforeMillis) == null)
                .toList();
      }
      page.forEach(one -> latestMillis = Math.max(latestMillis, one.sinceMillis()));
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
      plans.forget();
      plan = null;
      isShrinking = true;
    }
  }
}

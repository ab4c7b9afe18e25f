package gilmok.audit;

import gilmok.event.EventKind;
import gilmok.event.JsonBuffer;
import gilmok.event.JsonRecord;
import gilmok.log.AppendBatch;
import gilmok.log.AppendCompletion;
import gilmok.log.AppendResult;
import gilmok.log.Stream;
import gilmok.observe.RateLimitedLog;
import gilmok.warmup.Drainable;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Writes down changes before they are made. The copy into the documents begins with the first
 * entry, so a folder that has none stays one that an earlier version can use. Thread-safe; changes
 * block.
 */
public final class Audit implements Drainable {
  private static final Duration DURABLE_MAX = Duration.ofSeconds(10);
  private static final long BUSY_MILLIS = 5;

  private final AuditContext context;
  private final AppendBatch batch = new AppendBatch();
  private final JsonBuffer json = new JsonBuffer();
  private final long[] key = new long[2];
  private final RateLimitedLog failures =
      new RateLimitedLog("gilmok.audit", "that a change failed cannot be written into the audit");
  private long lastMillis;
  private @Nullable AuditReader reader;
  private volatile long lastSequence;

  /** A change, which is made once its entry is durable. */
  @FunctionalInterface
  public interface Change<T> {
    /** Makes the change. */
    T make() throws IOException, InterruptedException;
  }

  /** An audit; {@link #start} begins to copy entries that are in the log already. */
  public Audit(AuditContext context) {
    this.context = context;
    context
        .meters()
        .gauge(
            "gilmok_audit_lag_records",
            "Records of the log that were not looked at for entries of the audit.",
            this::lagRecords);
  }

  /** Copies the entries that an earlier process left in the log. */
  public synchronized void start() throws IOException, InterruptedException {
    if (context.log().accepted().of(Stream.AUDIT) > 0) {
      reader();
    }
  }

  /**
   * Makes a change after its entry is durable. If the change fails, a second record says so.
   *
   * @throws IOException when the entry cannot be written, and nothing was changed; or when the
   *     change failed
   */
  public <T> T change(AuditEntry entry, Change<T> change) throws IOException, InterruptedException {
    return change(entry, change, _ -> null);
  }

  /**
   * Makes a change likewise that may turn out not to be possible.
   *
   * @param refusal why nothing was changed, from the change's result; null if it was
   */
  public <T> T change(AuditEntry entry, Change<T> change, Function<T, @Nullable String> refusal)
      throws IOException, InterruptedException {
    String id = append(null, entry, null);
    T result;
    try {
      result = change.make();
    } catch (InterruptedException hurried) {
      Thread.currentThread().interrupt(); // nothing more can be waited for
      failures.about("a change was interrupted; it may have been made");
      throw hurried;
    } catch (IOException | RuntimeException | Error failed) {
      failed(id, entry, String.valueOf(failed.getMessage()));
      throw failed;
    }
    String why = refusal.apply(result);
    if (why != null) {
      failed(id, entry, why);
    }
    return result;
  }

  private void failed(String id, AuditEntry entry, String why) throws InterruptedException {
    try {
      boolean _ = append(id, entry, why).isEmpty();
    } catch (IOException unwritten) {
      failures.about(unwritten);
    }
  }

  /**
   * Appends a record and waits until it is durable.
   *
   * @param known the entry's id; null for a new entry
   */
  private String append(@Nullable String known, AuditEntry entry, @Nullable String error)
      throws IOException, InterruptedException {
    long until = System.nanoTime() + DURABLE_MAX.toNanos();
    CountDownLatch durable = new CountDownLatch(1);
    AppendCompletion completion = AppendCompletion.of(durable::countDown);
    String id;
    synchronized (this) {
      context.raise().raise();
      id = known == null ? nextId() : known;
      encode(id, entry, error);
      AppendResult result = context.log().append(batch, completion);
      while (result == AppendResult.BUSY && System.nanoTime() - until < 0) {
        boolean _ = durable.await(BUSY_MILLIS, TimeUnit.MILLISECONDS); // not yet: only a pause
        result = context.log().append(batch, completion);
      }
      check(result);
      lastSequence = completion.first();
      AuditReader _ = reader();
    }
    if (!durable.await(until - System.nanoTime(), TimeUnit.NANOSECONDS)) {
      throw new IOException("the entry of the audit is not on disk after " + DURABLE_MAX);
    }
    return id;
  }

  private static void check(AppendResult result) throws IOException {
    String why =
        switch (result) {
          case TAKEN -> null;
          case BUSY -> "the disk is too slow";
          case FULL -> "the log has no room";
          case TOO_LARGE -> "it is larger than log.group-bytes-max";
          case CLOSED -> "the log is closed";
        };
    if (why != null) {
      throw new IOException("no entry of the audit can be written, so nothing is changed: " + why);
    }
  }

  private String nextId() {
    lastMillis = Math.max(lastMillis + 1, context.clock().millis());
    return AuditId.of(lastMillis, context.random());
  }

  private void encode(String id, AuditEntry entry, @Nullable String error) {
    json.clear();
    entry.write(id, context.log().node().toString(), error, json);
    byte[] record = JsonRecord.encode(EventKind.AUDIT, id + (error == null ? ":1" : ":2"), json);
    context.keys().key(Stream.AUDIT, record, 0, record.length, key);
    batch.clear();
    batch.add(Stream.AUDIT, record, 0, record.length, key[0], key[1]);
  }

  private synchronized AuditReader reader() throws IOException, InterruptedException {
    AuditReader begun = reader;
    if (begun == null) {
      begun = new AuditReader(context);
      begun.follower.start();
      reader = begun;
    }
    return begun;
  }

  /**
   * Waits until all entries of this node are in the documents; false when they are not after {@code
   * patience}.
   */
  boolean awaitCopied(Duration patience) throws InterruptedException {
    AuditReader copying = begun();
    return copying == null || copying.awaitCopied(lastSequence, patience);
  }

  private long lagRecords() {
    AuditReader copying = begun();
    return copying == null ? 0 : copying.follower.lagRecords();
  }

  private synchronized @Nullable AuditReader begun() {
    return reader;
  }

  @Override
  public String name() {
    return "audit";
  }

  /** Finishes the copying under way. The documents can be closed afterwards. */
  @Override
  public void drain(Duration patience) throws InterruptedException {
    AuditReader copying = begun();
    if (copying != null) {
      copying.follower.stop(patience);
    }
  }
}

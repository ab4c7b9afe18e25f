package gilmok.audit;

import gilmok.event.EventKind;
import gilmok.event.JsonBuffer;
import gilmok.event.JsonRecord;
import gilmok.log.AppendBatch;
import gilmok.log.AppendResult;
import gilmok.log.AwaitedAppend;
import gilmok.log.Stream;
import gilmok.observe.RateLimitedLog;
import gilmok.warmup.Drainable;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
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
  private static final int STRIPES = 64;
  private static final Logger LOGGER = System.getLogger("gilmok.audit");

  private final AuditContext context;
  private final AppendBatch batch = new AppendBatch();
  private final JsonBuffer json = new JsonBuffer();
  private final long[] key = new long[2];
  private final RateLimitedLog failures =
      new RateLimitedLog("gilmok.audit", "what became of a change is not in the audit");
  private final ReentrantLock[] targets =
      java.util.stream.Stream.generate(ReentrantLock::new)
          .limit(STRIPES)
          .toArray(ReentrantLock[]::new);
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
   *     change failed, or it is not known whether it was made
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
    String id = nextId();
    write(id, entry, AuditOutcome.DONE);
    T result;
    try {
      result = change.make();
    } catch (InterruptedException hurried) {
      Thread.currentThread().interrupt(); // nothing more can be waited for
      failures.about("a change was interrupted; it may have been made");
      throw hurried;
    } catch (IOException | RuntimeException | Error failed) {
      // A store that did not answer in time may have made it.
      writeAfter(id, entry, AuditOutcome.unknown(failed));
      throw failed;
    }
    String why = refusal.apply(result);
    if (why != null) {
      writeAfter(id, entry, AuditOutcome.failed(why));
    }
    return result;
  }

  /**
   * Runs what reads a thing and changes it, beside no other such change of that thing on this node:
   * then each entry's {@code before} is what the entry before it has made.
   *
   * @param target what is changed, as in {@code device/d1}
   */
  public <T> T oneByOne(String target, Change<T> change) throws IOException, InterruptedException {
    ReentrantLock lock = targets[Math.floorMod(target.hashCode(), STRIPES)];
    lock.lockInterruptibly();
    try {
      return change.make();
    } finally {
      lock.unlock();
    }
  }

  private void writeAfter(String id, AuditEntry entry, AuditOutcome outcome)
      throws InterruptedException {
    try {
      write(id, entry, outcome);
    } catch (IOException unwritten) {
      failures.about(unwritten);
    }
  }

  /**
   * Writes into the log; while that takes nothing, into the documents, so that an operator can make
   * room: a full log is what a sink that is to be resumed may have caused.
   */
  private void write(String id, AuditEntry entry, AuditOutcome outcome)
      throws IOException, InterruptedException {
    String why = append(id, entry, outcome);
    if (why == null) {
      return;
    }
    JsonBuffer json = new JsonBuffer();
    entry.write(id, context.log().node().toString(), outcome, json);
    AuditStore.Row row =
        AuditStore.Row.of(
            id,
            entry.actor().keyId(),
            json.toString(),
            context.retention(),
            outcome.error() != null);
    try {
      context.store().put(List.of(row), context.clock().millis());
    } catch (IOException neither) {
      throw new IOException(
          "no entry of the audit can be written, so nothing is changed: "
              + why
              + "; the documents: "
              + neither.getMessage(),
          neither);
    }
    LOGGER.log(
        Level.WARNING,
        "{0}, so an entry of the audit is in the documents alone; sinks are not sent it: {1}",
        why,
        json);
  }

  /**
   * Appends a record and waits until it is durable. Returns why the log does not take it; null if
   * it did.
   */
  private @Nullable String append(String id, AuditEntry entry, AuditOutcome outcome)
      throws IOException, InterruptedException {
    long until = System.nanoTime() + DURABLE_MAX.toNanos();
    AwaitedAppend durable = new AwaitedAppend();
    synchronized (this) {
      try {
        context.raise().raise();
      } catch (IOException unraised) {
        return "the data folder takes no first entry: " + unraised.getMessage();
      }
      encode(id, entry, outcome);
      AppendResult result = context.log().append(batch, durable);
      while (result == AppendResult.BUSY && System.nanoTime() - until < 0) {
        boolean _ = durable.await(BUSY_MILLIS, TimeUnit.MILLISECONDS); // not yet: only a pause
        result = context.log().append(batch, durable);
      }
      if (result != AppendResult.TAKEN) {
        return whyNot(result);
      }
      lastSequence = durable.first();
      AuditReader _ = reader();
    }
    if (!durable.await(until - System.nanoTime(), TimeUnit.NANOSECONDS)) {
      throw new IOException("the entry of the audit is not on disk after " + DURABLE_MAX);
    }
    return null;
  }

  private static @Nullable String whyNot(AppendResult result) {
    return switch (result) {
      case TAKEN -> null;
      case BUSY -> "the disk is too slow";
      case FULL -> "the log has no room";
      case TOO_LARGE -> "the entry is larger than log.group-bytes-max";
      case CLOSED -> "the log is closed";
    };
  }

  private synchronized String nextId() {
    lastMillis = Math.max(lastMillis + 1, context.clock().millis());
    return AuditId.of(lastMillis, context.random());
  }

  private void encode(String id, AuditEntry entry, AuditOutcome outcome) {
    json.clear();
    entry.write(id, context.log().node().toString(), outcome, json);
    byte[] record =
        JsonRecord.encode(EventKind.AUDIT, id + (outcome.error() == null ? ":1" : ":2"), json);
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

  long lagRecords() {
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

package gilmok.sinks;

import gilmok.event.DamagedEvent;
import gilmok.event.EventView;
import gilmok.event.JsonBuffer;
import gilmok.event.QuarantinedEncoder;
import gilmok.event.QuarantinedView;
import gilmok.log.AppendBatch;
import gilmok.log.AppendResult;
import gilmok.log.AwaitedAppend;
import gilmok.log.Log;
import gilmok.log.RecordKeys;
import gilmok.log.Stream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Writes dead letters, the records that a sink refused for good, to the log's stream {@code
 * quarantine}. The same record and reason give the same bytes, so that the log recognises a repeat
 * after a crash. A full log may stay full until the sink's cursor moves, so dead letters without
 * room are kept as {@link PendingDeadLetters} until there is room.
 *
 * <p>Thread-safe: one call at a time.
 */
final class DeadLetters {
  private static final int TOGETHER_BYTES_MAX = 128 * 1024;
  private static final int WAIT_SECONDS_MAX = 60;

  private final ReentrantLock lock = new ReentrantLock();
  private final Log log;
  private final String sink;
  private final RecordKeys keys;
  private final SinkState account;
  private final QuarantinedEncoder quarantined = new QuarantinedEncoder();
  private final EventView view = new EventView();
  private final JsonBuffer json = new JsonBuffer();
  private final AppendBatch appendBatch = new AppendBatch();
  private final long[] key = new long[2];
  private final int bytesMax;

  DeadLetters(Log log, String sink, RecordKeys keys, SinkState account) {
    this.log = log;
    this.sink = sink;
    this.keys = keys;
    this.account = account;
    // Well below the queue's limit, as the last record may exceed this one.
    bytesMax = (int) Math.min(TOGETHER_BYTES_MAX, log.queueBytesMax() / 4);
  }

  /**
   * Quarantines some records of a batch, as many as fit at once. On return they are durable in the
   * log, or noted in the account and durable with its next save.
   *
   * @param which the records left to do; those that are done are removed. Records of the stream
   *     {@code quarantine} itself count as done without being written again
   * @return whether any record is done; false: none is, try again later
   */
  boolean put(Batch batch, BitSet which, String field, String reason) throws InterruptedException {
    lock.lockInterruptibly();
    try {
      return putAlone(batch, which, field, reason);
    } finally {
      lock.unlock();
    }
  }

  /** Whether a record is the quarantine's copy of one that this very sink refused. */
  boolean hasPut(Batch batch, int i) {
    if (batch.stream(i) != Stream.QUARANTINE) {
      return false;
    }
    try {
      QuarantinedView copy = new QuarantinedView();
      return sink.equals(copy.wrap(batch.bytes(), batch.offset(i), batch.length(i)).sink());
    } catch (DamagedEvent damage) {
      return false;
    }
  }

  private boolean putAlone(Batch batch, BitSet which, String field, String reason)
      throws InterruptedException {
    BitSet done = new BitSet();
    List<byte[]> records = new ArrayList<>();
    int bytes = 0;
    for (int i = which.nextSetBit(0); i >= 0 && bytes < bytesMax; i = which.nextSetBit(i + 1)) {
      done.set(i);
      if (batch.stream(i) != Stream.QUARANTINE) {
        byte[] record = encode(batch, i, field, reason);
        records.add(record);
        bytes += record.length;
      }
    }
    AppendResult result = records.isEmpty() ? AppendResult.TAKEN : append(records);
    if (result == AppendResult.FULL) {
      note(batch, done, records);
    } else if (result != AppendResult.TAKEN) {
      return false;
    }
    which.andNot(done);
    return !done.isEmpty();
  }

  /**
   * Notes records in the account, as the log may have no room until the cursor moves. A record that
   * finds no room here either is not done.
   */
  private void note(Batch batch, BitSet done, List<byte[]> records) {
    Iterator<byte[]> next = records.iterator();
    try (var _ = account.hold()) {
      for (int i = done.nextSetBit(0); i >= 0; i = done.nextSetBit(i + 1)) {
        if (batch.stream(i) != Stream.QUARANTINE
            && !account.progress().pendingDeadLetters.add(next.next())) {
          done.clear(i);
        }
      }
    }
  }

  /**
   * Appends the noted records, as many as fit at once, if the log has room again.
   *
   * @return whether no noted record is left
   */
  boolean putNoted() throws InterruptedException {
    lock.lockInterruptibly();
    try {
      List<byte[]> some = oldestNoted(0);
      return some.isEmpty()
          || (append(some) == AppendResult.TAKEN && oldestNoted(some.size()).isEmpty());
    } finally {
      lock.unlock();
    }
  }

  private List<byte[]> oldestNoted(int done) {
    try (var _ = account.hold()) {
      PendingDeadLetters pendingDeadLetters = account.progress().pendingDeadLetters;
      pendingDeadLetters.remove(done);
      return pendingDeadLetters.oldest(bytesMax);
    }
  }

  private byte[] encode(Batch batch, int i, String field, String reason) {
    json.clear();
    byte[] raw = batch.bytes();
    int start = batch.offset(i);
    int end = start + batch.length(i);
    try {
      view.wrap(raw, start, batch.length(i)).writeJson(json);
      raw = json.bytes();
      start = 0;
      end = json.size();
    } catch (RuntimeException damaged) {
      // Damage, or the very bug that brought the record here: keep its bytes as they are.
    }
    quarantined.encodeRefused(
        batch.stream(i).label(),
        sink,
        batch.node() + ":" + batch.sequence(i),
        field,
        reason,
        raw,
        start,
        end);
    return Arrays.copyOf(quarantined.bytes(), quarantined.size());
  }

  private AppendResult append(List<byte[]> records) throws InterruptedException {
    appendBatch.clear();
    for (byte[] record : records) {
      synchronized (keys) {
        keys.key(Stream.QUARANTINE, record, 0, record.length, key);
      }
      appendBatch.add(Stream.QUARANTINE, record, 0, record.length, key[0], key[1]);
    }
    AwaitedAppend durable = new AwaitedAppend();
    AppendResult result = log.append(appendBatch, durable);
    if (result == AppendResult.TAKEN && !durable.await(WAIT_SECONDS_MAX, TimeUnit.SECONDS)) {
      // The log has failed; none of these records is settled.
      return AppendResult.CLOSED;
    }
    return result;
  }
}

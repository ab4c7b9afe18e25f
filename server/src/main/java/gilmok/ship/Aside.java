package gilmok.ship;

import gilmok.event.DamagedEvent;
import gilmok.event.EventView;
import gilmok.event.JsonBuffer;
import gilmok.event.Quarantined;
import gilmok.log.Admission;
import gilmok.log.Draft;
import gilmok.log.Log;
import gilmok.log.RecordKeys;
import gilmok.log.Stream;
import gilmok.log.Ticket;
import java.util.BitSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Puts what a sink refused for good into the log's stream {@code quarantine}. The same record and
 * reason make the same bytes, so that the log knows a repeat after a crash.
 *
 * <p>Thread-safe: one at a time.
 */
final class Aside {
  private static final int TOGETHER_BYTES_MAX = 128 * 1024;
  private static final int WAIT_SECONDS_MAX = 60;

  private final ReentrantLock lock = new ReentrantLock();
  private final Log log;
  private final String sink;
  private final RecordKeys keys;
  private final Quarantined quarantined = new Quarantined();
  private final EventView view = new EventView();
  private final JsonBuffer json = new JsonBuffer();
  private final Draft draft = new Draft();
  private final long[] key = new long[2];
  private int bytes;

  Aside(Log log, String sink, RecordKeys keys) {
    this.log = log;
    this.sink = sink;
    this.keys = keys;
  }

  /**
   * Puts some of a batch down, as many as go at once; durable on return.
   *
   * @param which what is left to do; those that are done are taken out. What is of the quarantine
   *     itself is done without being put there again
   * @return whether the log took them; false: nothing was done, try again later
   */
  boolean put(Batch batch, BitSet which, String field, String reason) throws InterruptedException {
    lock.lockInterruptibly();
    try {
      return putAlone(batch, which, field, reason);
    } finally {
      lock.unlock();
    }
  }

  private boolean putAlone(Batch batch, BitSet which, String field, String reason)
      throws InterruptedException {
    BitSet done = new BitSet();
    int drafted = 0;
    draft.clear();
    bytes = 0;
    for (int i = which.nextSetBit(0);
        i >= 0 && bytes < TOGETHER_BYTES_MAX;
        i = which.nextSetBit(i + 1)) {
      done.set(i);
      if (batch.stream(i) != Stream.QUARANTINE) {
        add(batch, i, field, reason);
        drafted++;
      }
    }
    if (drafted > 0 && !append()) {
      return false;
    }
    which.andNot(done);
    return true;
  }

  private void add(Batch batch, int i, String field, String reason) {
    json.clear();
    byte[] raw = batch.bytes();
    int start = batch.offset(i);
    int end = start + batch.length(i);
    try {
      view.wrap(raw, start, batch.length(i)).writeJson(json);
      raw = json.bytes();
      start = 0;
      end = json.size();
    } catch (DamagedEvent damaged) {
      // Then its bytes as they are.
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
    synchronized (keys) {
      keys.key(Stream.QUARANTINE, quarantined.bytes(), 0, quarantined.size(), key);
    }
    draft.add(Stream.QUARANTINE, quarantined.bytes(), 0, quarantined.size(), key[0], key[1]);
    bytes += quarantined.size();
  }

  private boolean append() throws InterruptedException {
    CountDownLatch durable = new CountDownLatch(1);
    Ticket ticket =
        new Ticket() {
          @Override
          protected void durable() {
            durable.countDown();
          }
        };
    // Without an answer the log has failed; then nothing of this is settled.
    return log.append(draft, ticket) == Admission.TAKEN
        && durable.await(WAIT_SECONDS_MAX, TimeUnit.SECONDS);
  }
}

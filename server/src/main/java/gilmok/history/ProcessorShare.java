package gilmok.history;

import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;

/**
 * How much of a processor the present thread takes: the less, the longer it had to wait for one
 * while phones send. A low priority alone still takes a tenth of a full processor, and of one that
 * is not full all that is left; phones would wait for the end of its time slice. Without phones it
 * takes all it gets: whoever reads the answer needs a processor, too. Thread-safe.
 */
final class ProcessorShare {
  /** Linux' own account of a thread: how long it ran, how long it waited for a processor, in ns. */
  private static final String ACCOUNT = "/proc/thread-self/schedstat";

  private static final int ACCOUNT_CHARS_MAX = 64;

  /** This part of its work a thread may wait for a processor: collectors and senders work, too. */
  private static final int WAIT_FREE = 32;

  /** It rests so many times as long as it had to wait beyond that. */
  private static final long RESTS_OF_WAIT = 100;

  /** It rests at most so many times as long as it worked: then it has a fiftieth of a processor. */
  private static final long RESTS_OF_WORK_MAX = 49;

  private static final long REST_NANOS_MAX = 1_000_000_000;

  /** Phones send, if something has come within this time: longer than a busy disk takes. */
  private static final long SENDS_NANOS = 20_000_000;

  /** It works at most about so long without a rest. */
  private static final long TURN_NANOS = 1_000_000;

  private final LongSupplier arrived;
  private final ThreadLocal<Account> accounts = ThreadLocal.withInitial(Account::new);

  /**
   * @param arrived grows with what phones send; cheap
   */
  ProcessorShare(LongSupplier arrived) {
    this.arrived = arrived;
  }

  /** The present thread begins to work. */
  void begin() {
    accounts.get().look();
  }

  /** The present thread rests as long as it has to, unless it has only just begun. */
  void restIfDue() {
    Account account = accounts.get();
    if (System.nanoTime() - account.lookedNanos > TURN_NANOS) {
      account.rest();
    }
  }

  /** The present thread rests as long as it has to. */
  void rest() {
    accounts.get().rest();
  }

  /** How long a thread rests that worked and waited so long, while phones send. */
  static long restNanos(long worked, long waited) {
    long wait = Math.max(0, waited - worked / WAIT_FREE);
    return Math.min(REST_NANOS_MAX, Math.min(RESTS_OF_WAIT * wait, RESTS_OF_WORK_MAX * worked));
  }

  /** What one thread has had so far. */
  private final class Account {
    private long worked;
    private long waited;
    private long seen;
    private long cameNanos = System.nanoTime() - SENDS_NANOS;
    private long lookedNanos;

    private void rest() {
      long workedBefore = worked;
      long waitedBefore = waited;
      look();
      long rest = restNanos(worked - workedBefore, waited - waitedBefore);
      if (rest > 0 && lookedNanos - cameNanos < SENDS_NANOS) {
        LockSupport.parkNanos(rest);
        lookedNanos = System.nanoTime();
      }
    }

    private void look() {
      lookedNanos = System.nanoTime();
      long now = arrived.getAsLong();
      if (now != seen) {
        seen = now;
        cameNanos = lookedNanos;
      }
      try (InputStream file = new FileInputStream(ACCOUNT)) {
        byte[] text = new byte[ACCOUNT_CHARS_MAX];
        int length = Math.max(0, file.read(text));
        String[] words = new String(text, 0, length, StandardCharsets.US_ASCII).split(" ", 3);
        worked = Long.parseLong(words[0]);
        waited = Long.parseLong(words[1]);
      } catch (IOException | RuntimeException notHere) {
        // Another system: a low priority must do.
      }
    }
  }
}

package gilmok.history;

import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.locks.LockSupport;

/**
 * How much of a processor the present thread takes: the less, the longer it had to wait for one. A
 * low priority alone still takes a tenth of a full processor, and of one that is not full all that
 * is left; phones would wait for the end of its time slice, and what is read has to be sent, too.
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

  /** It works at most about so long without a rest. */
  private static final long TURN_NANOS = 1_000_000;

  private static final ThreadLocal<ProcessorShare> OF_THREAD =
      ThreadLocal.withInitial(ProcessorShare::new);

  private long worked;
  private long waited;
  private long lookedNanos;

  private ProcessorShare() {}

  /** The present thread begins to work. */
  static void begin() {
    OF_THREAD.get().look();
  }

  /** The present thread rests as long as it has to, unless it has only just begun. */
  static void restIfDue() {
    ProcessorShare share = OF_THREAD.get();
    if (System.nanoTime() - share.lookedNanos > TURN_NANOS) {
      share.restNow();
    }
  }

  /** The present thread rests as long as it has to. */
  static void rest() {
    OF_THREAD.get().restNow();
  }

  private void restNow() {
    long workedBefore = worked;
    long waitedBefore = waited;
    look();
    long work = worked - workedBefore;
    long wait = Math.max(0, waited - waitedBefore - work / WAIT_FREE);
    long rest = Math.min(RESTS_OF_WAIT * wait, RESTS_OF_WORK_MAX * work);
    if (rest > 0) {
      LockSupport.parkNanos(Math.min(REST_NANOS_MAX, rest));
      lookedNanos = System.nanoTime();
    }
  }

  private void look() {
    lookedNanos = System.nanoTime();
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

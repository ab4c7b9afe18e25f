package gilmok.http;

import gilmok.observe.Counter;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Notices an event loop that is held up, and says in the log what holds it up: the stack of its
 * thread, once for each place. A loop that only waits for its sockets and is late all the same has
 * no processor, which its stack would not explain. All connections of such a loop wait.
 * Thread-safe.
 */
final class LoopStalls {
  /** A loop's tick is due each tenth of a second. */
  private static final long STALL_NANOS = Duration.ofSeconds(1).toNanos();

  private static final int PLACES_MAX = 20;

  /** Where an event loop waits for its sockets, by epoll of the framework or of Java. */
  private static final Set<String> WAITS_IN =
      Set.of("io.netty.channel.epoll.Native", "sun.nio.ch.EPoll");

  /** So many frames tell one place from another. */
  private static final int FRAMES = 5;

  private static final double NANOS = 1e9;
  private static final Logger LOG = System.getLogger("gilmok.http");

  private final LongSupplier nanoTime;
  private final List<Beat> beats = new CopyOnWriteArrayList<>();
  private final Set<List<StackTraceElement>> places = ConcurrentHashMap.newKeySet();

  /** One loop's sign of life. */
  final class Beat {
    private final String loop;
    private final Counter stalls;
    private volatile long last;
    private volatile @Nullable Thread thread;

    /** Whether the stall since the last beat was noticed. Belongs to who looks. */
    private boolean isNoticed;

    private Beat(String loop, Counter stalls) {
      this.loop = loop;
      this.stalls = stalls;
    }

    /** The loop runs. On the loop's thread. */
    void beat() {
      last = nanoTime.getAsLong();
      thread = Thread.currentThread();
    }

    /** The loop has nothing to do: it is not watched before its next beat. On its thread. */
    void rest() {
      thread = null;
    }
  }

  LoopStalls(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  /** Watches a loop, from its first beat on. */
  Beat of(String loop, Counter stalls) {
    Beat beat = new Beat(loop, stalls);
    beats.add(beat);
    return beat;
  }

  /**
   * Looks at all loops; to be called twice a second, by one thread.
   *
   * @return whether any loop has something to do
   */
  boolean look() {
    boolean isAny = false;
    for (Beat beat : beats) {
      Thread thread = beat.thread;
      isAny |= thread != null;
      long silent = nanoTime.getAsLong() - beat.last;
      if (thread == null || silent < STALL_NANOS) {
        beat.isNoticed = false;
      } else if (!beat.isNoticed && thread.isAlive()) {
        beat.isNoticed = true;
        beat.stalls.increment();
        say(beat, thread, silent);
      }
    }
    return isAny;
  }

  private void say(Beat beat, Thread thread, long silent) {
    StackTraceElement[] stack = thread.getStackTrace();
    List<StackTraceElement> place = Arrays.asList(stack).subList(0, Math.min(FRAMES, stack.length));
    if (places.size() < PLACES_MAX && places.add(place)) {
      String head = "the event loop " + beat.loop + " has been held up for ";
      String seconds = String.format(Locale.ROOT, "%.1f", silent / NANOS);
      if (stack.length > 0 && WAITS_IN.contains(stack[0].getClassName())) {
        LOG.log(
            Level.WARNING,
            head
                + seconds
                + " s by nothing of its own: the machine did not run it, as when the processors"
                + " are busy or the virtual machine was paused; this is not said again");
      } else {
        Throwable where = new Throwable(thread.getName() + " is here");
        where.setStackTrace(stack);
        LOG.log(
            Level.WARNING,
            head + seconds + " s, and its connections wait; this place is not named again",
            where);
      }
    }
  }
}

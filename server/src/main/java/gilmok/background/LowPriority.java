package gilmok.background;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.concurrent.ThreadFactory;
import org.jspecify.annotations.Nullable;

/**
 * Threads to which the scheduler gives the processor after those that answer phones: shipping and
 * planning can wait, a phone does not. Where both want all of it, such a thread still gets about a
 * tenth of a usual one's share; an idle one ({@code SCHED_IDLE}) next to nothing, and gives up the
 * processor at once when anybody else wakes, where a nice one may first end its turn. Idle threads
 * are for a process of their own alone: in the server's, one that does not get the processor would
 * hold up the JVM's safepoints.
 *
 * <p>Linux alone has a priority for each thread, and no JVM flag that lowers it needs fewer rights
 * than root's; so these are {@code setpriority(2)} and {@code sched_setscheduler(2)}, which anybody
 * may call for less. Elsewhere the threads are as all others.
 */
public final class LowPriority {
  /** The nice value: a weight of 110 beside the usual 1024. */
  public static final int NICE = 10;

  private static final Logger LOGGER = System.getLogger("gilmok.sinks");
  private static final int PRIO_PROCESS = 0;
  private static final int THIS_THREAD = 0;
  private static final int SCHED_IDLE = 5;
  private static final @Nullable MethodHandle SET_PRIORITY =
      find("setpriority", ValueLayout.JAVA_INT);
  private static final @Nullable MethodHandle SET_SCHEDULER =
      find("sched_setscheduler", ValueLayout.ADDRESS);

  private LowPriority() {}

  /** Makes daemon threads called so, and a number. Thread-safe. */
  public static ThreadFactory threads(String name) {
    ThreadFactory usual = Thread.ofPlatform().daemon().name(name + "-", 0).factory();
    return work -> usual.newThread(of(work));
  }

  /** Makes daemon threads called so, and a number, which only get what nobody else wants. */
  public static ThreadFactory idleThreads(String name) {
    ThreadFactory low = threads(name);
    return work ->
        low.newThread(
            () -> {
              idle();
              work.run();
            });
  }

  /** Work that lowers the priority of the thread it runs on, for good. */
  public static Runnable of(Runnable work) {
    return () -> {
      lower();
      work.run();
    };
  }

  private static void lower() {
    MethodHandle set = SET_PRIORITY;
    if (set == null) {
      return;
    }
    try {
      int _ = (int) set.invokeExact(PRIO_PROCESS, THIS_THREAD, NICE);
    } catch (Throwable impossible) {
      // The work matters, its priority less.
      LOGGER.log(Level.DEBUG, "a thread keeps its normal priority", impossible);
    }
  }

  private static void idle() {
    MethodHandle set = SET_SCHEDULER;
    if (set == null) {
      return;
    }
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment zero = arena.allocate(ValueLayout.JAVA_INT); // a struct sched_param
      // Where a sandbox forbids it, the thread is a nice one.
      int _ = (int) set.invokeExact(THIS_THREAD, SCHED_IDLE, zero);
    } catch (Throwable impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  /** A function of the C library that takes two numbers and that, and answers a number. */
  @SuppressWarnings("restricted") // the launcher allows native access
  private static @Nullable MethodHandle find(String function, MemoryLayout third) {
    if (!System.getProperty("os.name", "").equals("Linux")) {
      return null;
    }
    try {
      Linker linker = Linker.nativeLinker();
      return linker.downcallHandle(
          linker.defaultLookup().findOrThrow(function),
          FunctionDescriptor.of(
              ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, third));
    } catch (RuntimeException | Error notHere) {
      LOGGER.log(Level.DEBUG, "no thread can have a low priority", notHere);
      return null;
    }
  }
}

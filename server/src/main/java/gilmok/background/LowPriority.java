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
 * Threads of low priority: the scheduler prefers threads that answer phones, as shipping and
 * planning can wait and a phone cannot. On a busy processor, a nice thread still gets about a tenth
 * of a normal one's share. An idle thread ({@code SCHED_IDLE}) gets next to nothing, and is
 * preempted at once when another thread wakes; a nice one may first end its time slice. Idle
 * threads are only for a separate process: in the server, an idle thread without the processor
 * would hold up the JVM's safepoints.
 *
 * <p>Only Linux has a priority for each thread, and the JVM flags that lower it need root's rights.
 * So this calls {@code setpriority(2)} and {@code sched_setscheduler(2)}, which may be called
 * without them to lower a priority. On other systems the threads have normal priority.
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

  /** Makes nice daemon threads, named {@code name} and a number. Thread-safe. */
  public static ThreadFactory threads(String name) {
    ThreadFactory usual = Thread.ofPlatform().daemon().name(name + "-", 0).factory();
    return work -> usual.newThread(of(work));
  }

  /** Makes idle daemon threads, named {@code name} and a number. */
  public static ThreadFactory idleThreads(String name) {
    ThreadFactory low = threads(name);
    return work ->
        low.newThread(
            () -> {
              idle();
              work.run();
            });
  }

  /** Wraps work so that it lowers the priority of its thread, for good. */
  public static Runnable of(Runnable work) {
    return () -> {
      lower();
      work.run();
    };
  }

  public static void lower() {
    MethodHandle set = SET_PRIORITY;
    if (set == null) {
      return;
    }
    try {
      int _ = (int) set.invokeExact(PRIO_PROCESS, THIS_THREAD, NICE);
    } catch (Throwable impossible) {
      // The work matters more than its priority.
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
      // If a sandbox forbids it, the thread stays a nice one.
      int _ = (int) set.invokeExact(THIS_THREAD, SCHED_IDLE, zero);
    } catch (Throwable impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  /** Finds a C function that takes two ints and a third argument and returns an int. */
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

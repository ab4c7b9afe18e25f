package gilmok.ship;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.concurrent.ThreadFactory;
import org.jspecify.annotations.Nullable;

/**
 * Threads to which the scheduler gives the processor after those that answer phones: shipping and
 * planning can wait, a phone does not. Where both want all of it, such a thread still gets about a
 * tenth of a usual one's share.
 *
 * <p>Linux alone has a priority for each thread, and no JVM flag that lowers it needs fewer rights
 * than root's; so this is {@code setpriority(2)}, which anybody may call for less. Elsewhere the
 * threads are as all others.
 */
public final class LowPriority {
  /** The nice value: a weight of 110 beside the usual 1024. */
  public static final int NICE = 10;

  private static final Logger LOGGER = System.getLogger("gilmok.ship");
  private static final int PRIO_PROCESS = 0;
  private static final int THIS_THREAD = 0;
  private static final @Nullable MethodHandle SET_PRIORITY = find();

  private LowPriority() {}

  /** Makes daemon threads called so, and a number. Thread-safe. */
  public static ThreadFactory threads(String name) {
    ThreadFactory usual = Thread.ofPlatform().daemon().name(name + "-", 0).factory();
    return work -> usual.newThread(of(work));
  }

  /** Work that lowers the priority of the thread it runs on, for good. */
  static Runnable of(Runnable work) {
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
      throw new IllegalStateException(impossible);
    }
  }

  @SuppressWarnings("restricted") // the launcher allows native access
  private static @Nullable MethodHandle find() {
    if (!System.getProperty("os.name", "").equals("Linux")) {
      return null;
    }
    try {
      Linker linker = Linker.nativeLinker();
      return linker.downcallHandle(
          linker.defaultLookup().findOrThrow("setpriority"),
          FunctionDescriptor.of(
              ValueLayout.JAVA_INT,
              ValueLayout.JAVA_INT,
              ValueLayout.JAVA_INT,
              ValueLayout.JAVA_INT));
    } catch (RuntimeException | Error notHere) {
      LOGGER.log(Level.DEBUG, "shipping has the usual priority", notHere);
      return null;
    }
  }
}

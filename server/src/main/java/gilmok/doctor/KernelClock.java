package gilmok.doctor;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/**
 * Asks the kernel whether anything keeps its clock, as chrony, ntpd and systemd-timesyncd tell it:
 * {@code adjtimex(2)} without a change, which everybody may call. Linux only.
 */
final class KernelClock {
  /** What the kernel says. */
  enum State {
    KEPT,
    NOT_KEPT,
    UNKNOWN
  }

  private static final int TIMEX_BYTES = 208;
  private static final int STATUS_OFFSET = 40;
  private static final int UNSYNCHRONISED = 0x40;

  private KernelClock() {}

  /** The clock of this machine. */
  @SuppressWarnings("restricted") // the launcher allows native access
  static State state() {
    if (!System.getProperty("os.name", "").equals("Linux")
        || ValueLayout.ADDRESS.byteSize() != Long.BYTES) {
      return State.UNKNOWN;
    }
    try (Arena arena = Arena.ofConfined()) {
      Linker linker = Linker.nativeLinker();
      MethodHandle ask =
          linker.downcallHandle(
              linker.defaultLookup().findOrThrow("adjtimex"),
              FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS));
      MemorySegment timex = arena.allocate(TIMEX_BYTES, Long.BYTES); // zeros: nothing is changed
      if ((int) ask.invokeExact(timex) < 0) {
        return State.UNKNOWN;
      }
      int status = timex.get(ValueLayout.JAVA_INT, STATUS_OFFSET);
      return (status & UNSYNCHRONISED) == 0 ? State.KEPT : State.NOT_KEPT;
    } catch (Throwable notHere) { // no such function, or native access is not allowed
      return State.UNKNOWN;
    }
  }
}

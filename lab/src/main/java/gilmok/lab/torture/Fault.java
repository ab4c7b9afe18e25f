package gilmok.lab.torture;

import gilmok.lab.Shell;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A fault of the server or its surroundings. It begins and it ends, both called by one thread. It
 * does nothing to a process that has ended. Otherwise it checks its own effect, and either of the
 * two methods throws {@link DidNotTakeException} if there was none.
 */
sealed interface Fault permits Fault.OfAMoment, Fault.OfAWhile {

  /** Its name in a report, with its severity. */
  String name();

  void begin(World world) throws IOException, InterruptedException;

  /** Ends the fault. Also called if its beginning has failed. */
  void end(World world) throws IOException, InterruptedException;

  /** Its effect, for a report, after it has ended; empty if there is nothing to say. */
  default String effect() {
    return "";
  }

  /** Whether the server's process may end by itself during the fault. */
  default boolean mayEndIt() {
    return false;
  }

  /**
   * Whether a process that is still starting may end by itself during the fault, naming the reason.
   */
  default boolean mayEndStart() {
    return mayEndIt();
  }

  /** A fault that ends the process at once. */
  sealed interface OfAMoment extends Fault permits Kill, PowerCut {
    @Override
    default void end(World world) {
      // It has no duration.
    }
  }

  /** A fault that the process must survive. */
  non-sealed interface OfAWhile extends Fault {}

  /** {@code kill -9}. */
  record Kill() implements OfAMoment {
    @Override
    public String name() {
      return "kill";
    }

    @Override
    public void begin(World world) throws InterruptedException {
      world.node().kill();
    }
  }

  /** A power failure of the machine. */
  final class PowerCut implements OfAMoment {
    private volatile String lost = "";

    @Override
    public String name() {
      return "power-cut";
    }

    @Override
    public String effect() {
      return lost;
    }

    @Override
    public void begin(World world) throws IOException, InterruptedException {
      // Nobody may start the server before the file system is mounted again.
      world.node().lock().lockInterruptibly();
      try {
        lost = world.ground().losePower(world.node().pid(), world.node()::kill);
      } finally {
        world.node().lock().unlock();
      }
    }
  }

  /** The disk is full. */
  record FullDisk() implements OfAWhile {
    @Override
    public String name() {
      return "disk-full";
    }

    @Override
    public boolean mayEndStart() {
      return true;
    }

    @Override
    public void begin(World world) throws IOException {
      world.ground().fill();
    }

    @Override
    public void end(World world) throws IOException {
      world.ground().empty();
    }
  }

  /** The wall clock is wrong for a while. */
  record ClockJump(Duration by) implements OfAWhile {
    @Override
    public String name() {
      return String.format(Locale.ROOT, "clock %+d s", by.toSeconds());
    }

    @Override
    public void begin(World world) throws IOException, InterruptedException {
      Victim victim = Victim.of(world.node());
      world.clock().jump(by);
      victim.mustHave(world.clock().isSeenBy(victim.pid()), "it does not have this clock");
    }

    @Override
    public void end(World world) throws IOException {
      world.clock().jump(Duration.ZERO);
    }
  }

  /** The process gets no processor time. */
  final class Hang implements OfAWhile {
    private static final Duration STOPS_WITHIN = Duration.ofSeconds(1);

    private long pid;

    @Override
    public String name() {
      return "hang";
    }

    @Override
    public void begin(World world) throws IOException, InterruptedException {
      Victim victim = Victim.of(world.node());
      pid = victim.pid();
      stop(pid);
      victim.mustHave(ProcessLook.isStopped(pid), "it goes on");
    }

    /** Stops a process (SIGSTOP). */
    static void stop(long pid) throws IOException, InterruptedException {
      if (pid == 0) {
        return;
      }
      signal("-STOP", pid);
      Settling.await(STOPS_WITHIN, () -> ProcessLook.isStopped(pid));
    }

    @Override
    public void end(World world) throws IOException, InterruptedException {
      // Not during a power cut, which stops the process itself.
      world.node().lock().lockInterruptibly();
      try {
        release(pid);
      } finally {
        world.node().lock().unlock();
      }
    }

    /** Continues a process (SIGCONT). */
    static void release(long pid) throws IOException, InterruptedException {
      signal("-CONT", pid);
    }

    private static void signal(String which, long pid) throws IOException, InterruptedException {
      if (pid > 0) {
        Shell.run(List.of("kill", which, Long.toString(pid)));
      }
    }
  }

  /** Another process holds a write transaction on the database open. */
  final class LockedDatabase implements OfAWhile {
    private static final String LOCK =
        "import sqlite3,sys;"
            + "c=sqlite3.connect(sys.argv[1],timeout=5,isolation_level=None);"
            + "c.execute('BEGIN IMMEDIATE');print('held',flush=True);"
            + "sys.stdin.read();c.execute('ROLLBACK')";

    private static final int END_SECONDS_MAX = 10;

    private @Nullable Process holder;

    @Override
    public String name() {
      return "database locked";
    }

    @Override
    public void begin(World world) throws IOException, InterruptedException {
      Victim victim = Victim.of(world.node());
      String file = world.node().data().resolve("documents.db").toString();
      Process now =
          new ProcessBuilder("python3", "-c", LOCK, file).redirectErrorStream(true).start();
      holder = now;
      // A power cut must also end this process, as it has a file open.
      world.ground().usedBy(now);
      String said = String.valueOf(now.inputReader().readLine());
      victim.mustHave(said.equals("held"), "the lock was not to be had: " + said);
    }

    @Override
    public void end(World world) throws IOException, InterruptedException {
      Process now = holder;
      if (now == null) {
        return;
      }
      try {
        now.getOutputStream().close();
      } catch (IOException ended) {
        // Ended by a power cut.
      }
      if (!now.waitFor(END_SECONDS_MAX, TimeUnit.SECONDS)) {
        now.destroyForcibly().waitFor();
      }
    }
  }
}

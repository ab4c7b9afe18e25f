package gilmok.lab.torture;

import gilmok.lab.Shell;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Something that befalls a server for a while. Of one thread: it begins, and it ends. What it does
 * to a process that is no more does nothing; otherwise it looks whether it took, and either of the
 * two throws {@link DidNotTakeException} when it did not.
 */
sealed interface Fault permits Fault.OfAMoment, Fault.OfAWhile {

  /** As a report names it, with how bad it is. */
  String name();

  void begin(World world) throws IOException, InterruptedException;

  /** Also where its beginning has failed. */
  void end(World world) throws IOException, InterruptedException;

  /** What it did, as a report names it, when it has ended; empty where there is nothing to tell. */
  default String effect() {
    return "";
  }

  /** Whether a process that ends by itself meanwhile does as it should. */
  default boolean mayEndIt() {
    return false;
  }

  /** Whether a process whose start is not over may end by itself meanwhile, and say why. */
  default boolean mayEndStart() {
    return mayEndIt();
  }

  /** One that ends the process, at once. */
  sealed interface OfAMoment extends Fault permits Kill, PowerCut {
    @Override
    default void end(World world) {
      // It is over as soon as it has begun.
    }
  }

  /** One that the process is to live through. */
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

  /** The machine's power is gone, and back. */
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
      // Nobody may start it before the file system is back.
      world.node().lock().lockInterruptibly();
      try {
        lost = world.ground().losePower(world.node().pid(), world.node()::kill);
      } finally {
        world.node().lock().unlock();
      }
    }
  }

  /** No space is left on its disk. */
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

  /** The wall clock is wrong, and right again. */
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

  /** It gets no processor time at all. */
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

    /** Holds a process up. */
    static void stop(long pid) throws IOException, InterruptedException {
      if (pid == 0) {
        return;
      }
      signal("-STOP", pid);
      Settling.await(STOPS_WITHIN, () -> ProcessLook.isStopped(pid));
    }

    @Override
    public void end(World world) throws IOException, InterruptedException {
      // Not in the midst of a power cut, which has it stand still.
      world.node().lock().lockInterruptibly();
      try {
        release(pid);
      } finally {
        world.node().lock().unlock();
      }
    }

    /** Lets it go on. */
    static void release(long pid) throws IOException, InterruptedException {
      signal("-CONT", pid);
    }

    private static void signal(String which, long pid) throws IOException, InterruptedException {
      if (pid > 0) {
        Shell.run(List.of("kill", which, Long.toString(pid)));
      }
    }
  }

  /** Another process writes into the database and does not come to an end. */
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
      // Who has a file open on it is ended by a power cut, too.
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
        // By a power cut.
      }
      if (!now.waitFor(END_SECONDS_MAX, TimeUnit.SECONDS)) {
        now.destroyForcibly().waitFor();
      }
    }
  }
}

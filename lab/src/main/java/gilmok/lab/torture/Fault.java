package gilmok.lab.torture;

import java.io.IOException;
import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Something that befalls a server for a while. Of one thread: it begins, and it ends. What it does
 * to a process that is no more does nothing.
 */
sealed interface Fault permits Fault.OfAMoment, Fault.OfAWhile {

  /** As a report names it, with how bad it is. */
  String name();

  void begin(World world) throws IOException, InterruptedException;

  void end(World world) throws IOException, InterruptedException;

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
  record PowerCut() implements OfAMoment {
    @Override
    public String name() {
      return "power-cut";
    }

    @Override
    public void begin(World world) throws IOException, InterruptedException {
      // Nobody may start it before the file system is back.
      world.node().lock().lockInterruptibly();
      try {
        world.ground().cut();
        world.node().kill();
        world.ground().remount();
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
    public void begin(World world) throws IOException {
      world.clock().jump(by);
    }

    @Override
    public void end(World world) throws IOException {
      world.clock().jump(Duration.ZERO);
    }
  }

  /** It gets no processor time at all. */
  final class Hang implements OfAWhile {
    private long pid;

    @Override
    public String name() {
      return "hang";
    }

    @Override
    public void begin(World world) throws IOException, InterruptedException {
      pid = world.node().pid();
      signal("-STOP", pid);
    }

    @Override
    public void end(World world) throws IOException, InterruptedException {
      signal("-CONT", pid);
    }

    static void signal(String which, long pid) throws IOException, InterruptedException {
      if (pid > 0) {
        Shell.run(java.util.List.of("kill", which, Long.toString(pid)));
      }
    }
  }

  /** Another process writes into the database and does not come to an end. */
  final class LockedDatabase implements OfAWhile {
    private static final String LOCK =
        "import sqlite3,sys;"
            + "c=sqlite3.connect(sys.argv[1],timeout=5,isolation_level=None);"
            + "c.execute('BEGIN IMMEDIATE');sys.stdin.read();c.execute('ROLLBACK')";

    private @Nullable Process holder;

    @Override
    public String name() {
      return "database locked";
    }

    @Override
    public void begin(World world) throws IOException {
      String file = world.node().data().resolve("documents.db").toString();
      holder = new ProcessBuilder("python3", "-c", LOCK, file).start();
    }

    @Override
    public void end(World world) throws IOException, InterruptedException {
      Process now = holder;
      if (now != null) {
        now.getOutputStream().close();
        now.waitFor();
      }
    }
  }
}

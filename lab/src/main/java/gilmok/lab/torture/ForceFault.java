package gilmok.lab.torture;

import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * What is forced to disk fails, or takes long, for a while: strace holds the server's threads and
 * answers in the kernel's place.
 */
final class ForceFault implements Fault.OfAWhile {
  private final Way way;
  private final int amount;
  private @Nullable Process tracer;

  /** What becomes of a force. */
  enum Way {
    /** It fails, from the given one of each thread on. */
    FAILS,
    /** It takes so many milliseconds more. */
    SLOW
  }

  ForceFault(Way way, int amount) {
    this.way = way;
    this.amount = amount;
  }

  @Override
  public String name() {
    return way == Way.FAILS ? "fsync-error from " + amount : "fsync-slow " + amount + " ms";
  }

  @Override
  public boolean mayEndIt() {
    return way == Way.FAILS;
  }

  @Override
  public void begin(World world) throws IOException {
    long pid = world.node().pid();
    if (pid == 0) {
      return;
    }
    String what =
        way == Way.FAILS
            ? "error=EIO:when=" + amount + "+"
            : String.format(Locale.ROOT, "delay_enter=%d", amount * 1_000L);
    tracer =
        new ProcessBuilder(
                List.of(
                    "strace",
                    "-f",
                    "-qq",
                    "-o",
                    "/dev/null",
                    "-e",
                    "trace=fdatasync,fsync",
                    "-e",
                    "inject=fdatasync,fsync:" + what,
                    "-p",
                    Long.toString(pid)))
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
  }

  @Override
  public void end(World world) throws IOException, InterruptedException {
    Process now = tracer;
    if (now != null) {
      now.destroy();
      if (!now.waitFor(10, TimeUnit.SECONDS)) {
        now.destroyForcibly().waitFor();
      }
    }
  }
}

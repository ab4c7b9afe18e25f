package gilmok.lab.torture;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A fault of forcing data to disk: fsyncs fail or are slow for a while. strace attaches to the
 * server's threads and answers in the kernel's place. The fault begins when strace has attached to
 * all threads; the output of strace tells how many calls it met.
 */
final class ForceFault implements Fault.OfAWhile {
  private static final Duration ATTACH_MAX = Duration.ofSeconds(5);
  private static final int DETACH_SECONDS_MAX = 10;

  private final Way way;
  private final int amount;
  private @Nullable Tracing tracing;
  private long met;

  /** The effect on a force. */
  enum Way {
    /** It fails, from the given call of each thread on. */
    FAILS,
    /** It takes the given number of milliseconds more. */
    SLOW
  }

  /** A running strace, with the files of its trace and of its messages. */
  private record Tracing(Victim victim, Process process, Path calls, Path said) {
    /** Whether it has attached to every thread. */
    boolean isComplete() {
      return ProcessLook.tracers(victim.pid()).equals(Set.of(process.pid()));
    }
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
  public String effect() {
    return tracing == null ? "" : met + " calls";
  }

  @Override
  public boolean mayEndIt() {
    return way == Way.FAILS;
  }

  @Override
  public void begin(World world) throws IOException, InterruptedException {
    begin(Victim.of(world.node()), Files.createTempDirectory(world.work(), "strace-"));
  }

  void begin(Victim victim, Path folder) throws IOException, InterruptedException {
    if (!victim.isThere()) {
      return;
    }
    String what =
        way == Way.FAILS
            ? "error=EIO:when=" + amount + "+"
            : String.format(Locale.ROOT, "delay_enter=%d", amount * 1_000L);
    Path calls = folder.resolve("calls");
    Path said = folder.resolve("said");
    Process process =
        new ProcessBuilder(
                List.of(
                    "strace",
                    "-f",
                    "-qq",
                    "-o",
                    calls.toString(),
                    "-e",
                    "trace=fdatasync,fsync",
                    "-e",
                    "inject=fdatasync,fsync:" + what,
                    "-p",
                    Long.toString(victim.pid())))
            .redirectErrorStream(true)
            .redirectOutput(said.toFile())
            .start();
    Tracing now = new Tracing(victim, process, calls, said);
    tracing = now;
    boolean isHeld =
        Settling.await(ATTACH_MAX, () -> !process.isAlive() || now.isComplete())
            && now.isComplete();
    victim.mustHave(isHeld, "strace does not hold it: " + Files.readString(said).strip());
  }

  @Override
  public void end(World world) throws IOException, InterruptedException {
    end();
  }

  void end() throws IOException, InterruptedException {
    Tracing now = tracing;
    if (now == null) {
      return;
    }
    boolean hasLasted = now.process.isAlive();
    now.process.destroy();
    if (!now.process.waitFor(DETACH_SECONDS_MAX, TimeUnit.SECONDS)) {
      now.process.destroyForcibly().waitFor();
    }
    met = met(now.calls, way == Way.FAILS ? "(INJECTED)" : "sync(");
    now.victim.mustHave(
        hasLasted, "strace ended before its time: " + Files.readString(now.said).strip());
    now.victim.mustHave(met > 0, "nothing was forced meanwhile");
    if (ProcessLook.tracers(now.victim.pid()).contains(now.process.pid())) {
      throw new IOException("strace has not let go of the server");
    }
  }

  /** The number of calls that strace changed. One may be in flight when strace ends. */
  private static long met(Path calls, String mark) throws IOException {
    if (!Files.exists(calls)) {
      return 0;
    }
    try (Stream<String> lines = Files.lines(calls)) {
      return lines.filter(line -> line.contains(mark)).count();
    }
  }
}

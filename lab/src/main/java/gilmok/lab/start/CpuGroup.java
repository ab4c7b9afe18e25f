package gilmok.lab.start;

import gilmok.observe.CpuThrottling;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A control group like that of a container, of version 1 or 2: with a limit of processors, or with
 * a weight. Processes join it by themselves ({@link #joining}). Closing removes it, after its
 * processes have ended. Requires the permission to make control groups. Thread-safe.
 */
record CpuGroup(Path folder, boolean isSecond) implements AutoCloseable {
  private static final Path ROOT = Path.of("/sys/fs/cgroup");
  private static final int PERIOD_MICROS = 100_000;
  private static final int REMOVALS_MAX = 1500;

  /** Thrown when this machine or this user allows no group. */
  static final class Forbidden extends IOException {
    private static final long serialVersionUID = 1;

    private Forbidden(String message, IOException cause) {
      super(message, cause);
    }
  }

  /** A setting of a group, by the name and the value of its file. */
  private record Setting(String file, String value) {}

  /**
   * Makes a group that stops its processes when they have used up their part of a period.
   *
   * @param name differs from those of this process' other groups
   * @param processors as in 0.3
   * @throws Forbidden when that is not permitted here; the message says what was tried
   */
  static CpuGroup limited(String name, double processors) throws IOException {
    String period = Integer.toString(PERIOD_MICROS);
    String quota = Long.toString(Math.round(processors * PERIOD_MICROS));
    return make(
        name,
        isSecondHere()
            ? List.of(new Setting("cpu.max", quota + " " + period))
            : List.of(
                new Setting("cpu.cfs_period_us", period), new Setting("cpu.cfs_quota_us", quota)));
  }

  /**
   * Makes a group without a limit, whose processes get what is theirs by its weight.
   *
   * @param name differs from those of this process' other groups
   * @throws Forbidden when that is not permitted here; the message says what was tried
   */
  static CpuGroup weighted(String name, CpuWeight weight) throws IOException {
    return make(
        name,
        List.of(
            isSecondHere()
                ? new Setting("cpu.weight", Long.toString(weight.second()))
                : new Setting("cpu.shares", Long.toString(weight.shares()))));
  }

  private static boolean isSecondHere() {
    return Files.exists(ROOT.resolve("cgroup.controllers"));
  }

  private static CpuGroup make(String name, List<Setting> settings) throws IOException {
    boolean isSecond = isSecondHere();
    Path parent = isSecond ? ROOT : ROOT.resolve("cpu");
    Path folder = parent.resolve("gilmok-lab-" + ProcessHandle.current().pid() + "-" + name);
    try {
      if (isSecond && !Files.readString(parent.resolve("cgroup.subtree_control")).contains("cpu")) {
        Files.writeString(parent.resolve("cgroup.subtree_control"), "+cpu");
      }
      Files.createDirectory(folder);
    } catch (IOException refused) {
      throw forbidden(refused);
    }
    try {
      for (Setting setting : settings) {
        Files.writeString(folder.resolve(setting.file), setting.value);
      }
      return new CpuGroup(folder, isSecond);
    } catch (IOException refused) {
      Files.deleteIfExists(folder);
      throw forbidden(refused);
    }
  }

  private static Forbidden forbidden(IOException refused) {
    return new Forbidden("no control group for processors can be made here: " + refused, refused);
  }

  /** A prefix for a command, by which its process is in the group from its beginning. */
  List<String> joining() {
    String procs = folder.resolve("cgroup.procs").toString();
    return List.of("sh", "-c", "echo $$ >\"$0\" && exec \"$@\"", procs);
  }

  /** How long its processes were throttled so far, in seconds; 0 if the kernel does not tell. */
  double throttledSeconds() {
    return Math.max(0, throttling().throttledMicros()) / 1e6;
  }

  /** In how many periods its processes were throttled so far; 0 if the kernel does not tell. */
  long throttledPeriods() {
    return Math.max(0, throttling().read("nr_throttled"));
  }

  private CpuThrottling throttling() {
    return new CpuThrottling(folder.resolve("cpu.stat"));
  }

  @Override
  public void close() throws IOException {
    // A killed process is counted until its memory is free: with a small share that takes seconds.
    for (int i = 1; Files.exists(folder); i++) {
      try {
        Files.delete(folder);
      } catch (IOException busy) {
        if (i == REMOVALS_MAX) {
          throw busy;
        }
        pause();
      }
    }
  }

  private static void pause() {
    try {
      TimeUnit.MILLISECONDS.sleep(20);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}

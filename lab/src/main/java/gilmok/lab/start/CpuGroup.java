package gilmok.lab.start;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A CPU limit like that of a container: a control group of its own, of version 1 or 2. Processes
 * join it by themselves ({@link #joining}). Closing removes it, after its processes have ended.
 * Requires the permission to make control groups. Thread-safe.
 */
record CpuLimit(Path group, boolean isSecond) implements AutoCloseable {
  private static final Path ROOT = Path.of("/sys/fs/cgroup");
  private static final int PERIOD_MICROS = 100_000;
  private static final int REMOVALS_MAX = 100;

  /** Thrown when this machine or this user allows no limit. */
  static final class Forbidden extends IOException {
    private static final long serialVersionUID = 1;

    private Forbidden(String message, IOException cause) {
      super(message, cause);
    }
  }

  /**
   * Makes a limit.
   *
   * @param processors as in 0.3
   * @throws Forbidden when that is not permitted here; the message says what was tried
   */
  static CpuLimit of(double processors) throws IOException {
    boolean isSecond = Files.exists(ROOT.resolve("cgroup.controllers"));
    Path parent = isSecond ? ROOT : ROOT.resolve("cpu");
    Path group = parent.resolve("gilmok-lab-" + ProcessHandle.current().pid());
    long quota = Math.round(processors * PERIOD_MICROS);
    try {
      if (isSecond && !Files.readString(parent.resolve("cgroup.subtree_control")).contains("cpu")) {
        Files.writeString(parent.resolve("cgroup.subtree_control"), "+cpu");
      }
      Files.createDirectory(group);
      if (isSecond) {
        Files.writeString(group.resolve("cpu.max"), quota + " " + PERIOD_MICROS);
      } else {
        Files.writeString(group.resolve("cpu.cfs_period_us"), Integer.toString(PERIOD_MICROS));
        Files.writeString(group.resolve("cpu.cfs_quota_us"), Long.toString(quota));
      }
      return new CpuLimit(group, isSecond);
    } catch (IOException refused) {
      Files.deleteIfExists(group);
      throw new Forbidden("no limit of processors can be set here: " + refused, refused);
    }
  }

  /** A prefix for a command, by which its process is in the group from its beginning. */
  List<String> joining() {
    String procs = group.resolve("cgroup.procs").toString();
    return List.of("sh", "-c", "echo $$ >\"$0\" && exec \"$@\"", procs);
  }

  /** How long its processes were throttled so far, in seconds; 0 if the kernel does not tell. */
  double throttledSeconds() throws IOException {
    String field = isSecond ? "throttled_usec " : "throttled_time ";
    double unit = isSecond ? 1e-6 : 1e-9;
    for (String line : Files.readAllLines(group.resolve("cpu.stat"))) {
      if (line.startsWith(field)) {
        return unit * Long.parseLong(line.substring(field.length()).strip());
      }
    }
    return 0;
  }

  @Override
  public void close() throws IOException {
    // A killed process may still be counted for a moment.
    for (int i = 1; Files.exists(group); i++) {
      try {
        Files.delete(group);
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

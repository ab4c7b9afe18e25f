package gilmok.doctor;

import gilmok.observe.Cgroup;
import gilmok.observe.CgroupTree;
import gilmok.observe.KernelFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Looks at what brings a server down from outside: the limits of the process, the container and the
 * kernel, and the disk. It writes one small file into the data folder's disk, and deletes it.
 */
final class MachineDoctor {
  /** Beside its connections, a server has files, pipes and the sockets of its clients. */
  private static final int FILES_BESIDE = 1000;

  private static final int THREADS_MIN = 1000;
  private static final int BACKLOG_MIN = 1024;
  private static final long DISK_MIN = 5L << 30;
  private static final double FSYNC_MILLIS_MAX = 20;
  private static final int FSYNCS = 21;
  private static final double NANOS_IN_MILLI = 1e6;
  private static final int GIBI = 30;
  private static final List<String> FAST_CLOCKS =
      List.of("tsc", "kvm-clock", "arch_sys_counter", "hyperv_clocksource_tsc_page");

  private final Path root;
  private final Path data;
  private final int connectionsMax;
  private final CgroupTree groups;
  private final List<Check> checks = new ArrayList<>();

  /**
   * A doctor of this machine.
   *
   * @param root of the file system, of which it reads /proc and /sys
   * @param data the data folder, which need not be there
   * @param connectionsMax how many connections the server takes
   */
  MachineDoctor(Path root, Path data, int connectionsMax) {
    this.root = root;
    this.data = data;
    this.connectionsMax = connectionsMax;
    groups = CgroupTree.at(root);
  }

  /** Looks at everything. What this machine does not tell is left out. */
  List<Check> look() {
    files();
    threads();
    backlog();
    clock();
    processors();
    disk();
    return List.copyOf(checks);
  }

  private void add(String what, String seen, boolean isWell, String advice) {
    checks.add(Check.of(what, seen, isWell, advice));
  }

  private void files() {
    long limit = limit("Max open files");
    long needed = (long) connectionsMax + FILES_BESIDE;
    if (limit > 0) {
      add(
          "file handles",
          "%,d for %,d connections".formatted(limit, connectionsMax),
          limit >= needed,
          "raise them to %,d or more: LimitNOFILE= in systemd, --ulimit nofile= in Docker; or lower"
                  .formatted(needed)
              + " http.connections-max");
    }
  }

  private void threads() {
    long least = Long.MAX_VALUE;
    String of = "";
    long[] limits = {
      limit("Max processes"),
      number(text("proc/sys/kernel/pid_max")),
      groups.least("pids", "pids.max", "pids.max")
    };
    List<String> names = List.of("ulimit -u", "kernel.pid_max", "the cgroup's pids.max");
    for (int i = 0; i < limits.length; i++) {
      if (limits[i] > 0 && limits[i] < least) {
        least = limits[i];
        of = names.get(i);
      }
    }
    if (!of.isEmpty()) {
      add(
          "threads and processes",
          "%,d by %s".formatted(least, of),
          least >= THREADS_MIN,
          "raise " + of + " to " + THREADS_MIN + " or more: without threads the JVM ends");
    }
  }

  private void backlog() {
    long most = number(text("proc/sys/net/core/somaxconn"));
    if (most > 0) {
      add(
          "backlog of connections",
          "%,d by net.core.somaxconn".formatted(most),
          most >= BACKLOG_MIN,
          "sysctl net.core.somaxconn=4096: phones that return at once are turned away otherwise");
    }
  }

  private void clock() {
    String source = text("sys/devices/system/clocksource/clocksource0/current_clocksource");
    if (!source.isEmpty()) {
      add(
          "clock",
          source,
          FAST_CLOCKS.contains(source),
          "each look at this clock is a system call: choose tsc or kvm-clock, see"
              + " /sys/devices/system/clocksource/clocksource0/available_clocksource");
    }
  }

  private void processors() {
    int seen = Runtime.getRuntime().availableProcessors();
    double limit = Cgroup.of(groups).processors();
    String text = "%d seen by the JVM".formatted(seen);
    add(
        "processors",
        limit > 0 ? text + String.format(Locale.ROOT, ", limit %.1f", limit) : text,
        limit == 0 || limit >= 1,
        "give the container one processor at least: below that, each collection and each"
            + " compilation stops the requests");
    long weight = groups.own("cpu", "cpu.weight", "cpu.shares");
    if (weight > 0) {
      ProcessorRequest request = new ProcessorRequest(weight, groups.isSecond());
      if (limit > 0 || !request.isUsual()) {
        checks.add(request.check(limit));
      }
    }
  }

  private void disk() {
    Path there = data.toAbsolutePath();
    while (!Files.isDirectory(there) && there.getParent() != null) {
      there = there.getParent();
    }
    try {
      long free = Files.getFileStore(there).getUsableSpace();
      add(
          "disk, room",
          "%,d GB free at %s".formatted(free >> GIBI, there),
          free >= DISK_MIN,
          "make room, or lower log.bytes-max: without room nothing is accepted");
      double millis = fsyncMillis(there);
      add(
          "disk, speed",
          String.format(Locale.ROOT, "%.2f ms a forced write, median of %d", millis, FSYNCS),
          millis <= FSYNC_MILLIS_MAX,
          "each answer waits for a forced write: take a local SSD for the data folder");
    } catch (IOException cannot) {
      add(
          "disk, speed",
          cannot instanceof AccessDeniedException
              ? "this user may not write into " + there
              : "nothing can be written into %s: %s".formatted(there, cannot.getMessage()),
          false,
          "run this as the user that the server is, or let that one write there");
    }
  }

  private static double fsyncMillis(Path folder) throws IOException {
    Path file = Files.createTempFile(folder, ".gilmok-doctor", ".tmp");
    long[] nanos = new long[FSYNCS];
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      for (int i = 0; i < FSYNCS; i++) {
        channel.write(ByteBuffer.allocate(4096), 0);
        long began = System.nanoTime();
        channel.force(false);
        nanos[i] = System.nanoTime() - began;
      }
    } finally {
      Files.deleteIfExists(file);
    }
    Arrays.sort(nanos);
    return nanos[FSYNCS / 2] / NANOS_IN_MILLI;
  }

  /** A soft limit of this process; 0 for none. */
  private long limit(String name) {
    Matcher line =
        Pattern.compile("^" + name + "\\s+(\\d+)", Pattern.MULTILINE)
            .matcher(text("proc/self/limits"));
    return line.find() ? Long.parseLong(line.group(1)) : 0;
  }

  private static long number(String text) {
    return text.matches("\\d{1,18}") ? Long.parseLong(text) : 0;
  }

  private String text(String file) {
    return KernelFile.text(root.resolve(file));
  }
}

package gilmok.observe;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The limits that the kernel's control groups set for this process, as for a container. Reads both
 * versions: v2, and v1, where each resource has a tree of its own. The limits of parent groups
 * hold, too, so the tightest one is returned. Immutable: the state at the time of reading.
 *
 * @param processors the limit of processor time, in processors, as in 1.5; 0 for no limit
 * @param memoryBytes the limit of memory; 0 for no limit
 * @param cpuStat the file in which the kernel counts how often the processor limit has stopped the
 *     process; null when there are no control groups
 */
public record Cgroup(double processors, long memoryBytes, @Nullable Path cpuStat) {
  /** The smallest number that means no limit in v1; no machine has that much. */
  private static final long NO_LIMIT = 1L << 60;

  /** The limits of this process; none where the kernel gives none. */
  public static Cgroup ofThisProcess() {
    return of(Path.of("/proc/self/cgroup"), Path.of("/sys/fs/cgroup"));
  }

  /**
   * Whether this process runs in a container, as shown by what Docker, Podman and Kubernetes set up
   * in one.
   *
   * @param environment of the process
   * @param root of the file system
   */
  public static boolean isContainer(Map<String, String> environment, Path root) {
    return environment.containsKey("KUBERNETES_SERVICE_HOST")
        || Files.exists(root.resolve(".dockerenv"))
        || Files.exists(root.resolve("run/.containerenv"));
  }

  /**
   * Reads the limits.
   *
   * @param membership lines of {@code id:controllers:path}: the groups the process is in
   * @param root where the groups' folders are mounted
   */
  static Cgroup of(Path membership, Path root) {
    return Files.exists(root.resolve("cgroup.controllers"))
        ? second(groups(membership, "", root))
        : first(
            groups(membership, "cpu", root.resolve("cpu")),
            groups(membership, "memory", root.resolve("memory")));
  }

  private static Cgroup second(List<Path> groups) {
    Tightest cpu = new Tightest();
    Tightest memory = new Tightest();
    for (Path group : groups) {
      // "150000 100000" microseconds, or "max 100000"
      String[] max = text(group.resolve("cpu.max")).split(" ", -1);
      cpu.offer(max.length == 2 ? share(max[0], max[1]) : 0, group);
      memory.offer((double) number(text(group.resolve("memory.max"))), group);
    }
    return new Cgroup(cpu.least, (long) memory.least, stat(cpu, groups));
  }

  private static Cgroup first(List<Path> cpuGroups, List<Path> memoryGroups) {
    Tightest cpu = new Tightest();
    for (Path group : cpuGroups) {
      String quota = text(group.resolve("cpu.cfs_quota_us"));
      cpu.offer(share(quota, text(group.resolve("cpu.cfs_period_us"))), group);
    }
    Tightest memory = new Tightest();
    for (Path group : memoryGroups) {
      memory.offer((double) number(text(group.resolve("memory.limit_in_bytes"))), group);
    }
    return new Cgroup(cpu.least, (long) memory.least, stat(cpu, cpuGroups));
  }

  private static @Nullable Path stat(Tightest cpu, List<Path> groups) {
    Path group = cpu.group != null ? cpu.group : groups.isEmpty() ? null : groups.getFirst();
    return group == null ? null : group.resolve("cpu.stat");
  }

  /** The folders of the group and its parents, up to the root; the lowest first. */
  private static List<Path> groups(Path membership, String controller, Path root) {
    Path group = root;
    for (String line : text(membership).split("\n", -1)) {
      String[] parts = line.split(":", 3);
      if (parts.length == 3 && Arrays.asList(parts[1].split(",", -1)).contains(controller)) {
        group = below(root, parts[2]);
      }
    }
    List<Path> all = new ArrayList<>();
    for (Path at = group; at != null && at.startsWith(root); at = at.getParent()) {
      if (Files.isDirectory(at)) {
        all.add(at);
      }
    }
    return all;
  }

  /**
   * The group's folder. In a container the path is often the host's, while the container's own
   * group is mounted as the root: then the root.
   */
  private static Path below(Path root, String path) {
    try {
      Path group = root.resolve(path.substring(Math.min(1, path.length()))).normalize();
      return group.startsWith(root) && Files.isDirectory(group) ? group : root;
    } catch (InvalidPathException _) {
      return root;
    }
  }

  private static double share(String quota, String period) {
    double of = number(period);
    return of == 0 ? 0 : number(quota) / of;
  }

  /** Parses a limit; 0 for none, which is written as "max", -1 or a huge number. */
  private static long number(String text) {
    try {
      long number = Long.parseLong(text);
      return number < 0 || number >= NO_LIMIT ? 0 : number;
    } catch (NumberFormatException _) {
      return 0;
    }
  }

  /** The file's text without white space at its ends; empty when it cannot be read. */
  private static String text(Path file) {
    try {
      return Files.readString(file).strip();
    } catch (IOException _) {
      return "";
    }
  }

  /** The smallest limit, and the group that sets it. */
  private static final class Tightest {
    private double least;
    private @Nullable Path group;

    void offer(double limit, Path of) {
      if (limit > 0 && (group == null || limit < least)) {
        least = limit;
        group = of;
      }
    }
  }
}

package gilmok.observe;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The limits that the kernel's control groups set for this process, as for a container. The limits
 * of parent groups hold, too, so the tightest one is returned. Immutable: the state at the time of
 * reading.
 *
 * @param processors the limit of processor time, in processors, as in 1.5; 0 for no limit
 * @param memoryBytes the limit of memory; 0 for no limit
 * @param cpuStat the file in which the kernel counts how often the processor limit has stopped the
 *     process; null when there are no control groups
 */
public record Cgroup(double processors, long memoryBytes, @Nullable Path cpuStat) {
  /** The limits of this process; none where the kernel gives none. */
  public static Cgroup ofThisProcess() {
    return of(CgroupTree.at(Path.of("/")));
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

  /** Reads the limits of these groups. */
  public static Cgroup of(CgroupTree tree) {
    List<Path> cpuGroups = tree.groups("cpu");
    Tightest cpu = new Tightest();
    for (Path group : cpuGroups) {
      cpu.offer(tree.isSecond() ? share(group) : firstShare(group), group);
    }
    Path stat = cpu.group != null ? cpu.group : cpuGroups.isEmpty() ? null : cpuGroups.getFirst();
    return new Cgroup(
        cpu.least,
        tree.least("memory", "memory.max", "memory.limit_in_bytes"),
        stat == null ? null : stat.resolve("cpu.stat"));
  }

  /** Of v2: "150000 100000" microseconds, or "max 100000". */
  private static double share(Path group) {
    String[] max = KernelFile.text(group.resolve("cpu.max")).split(" ", -1);
    return max.length == 2 ? share(max[0], max[1]) : 0;
  }

  private static double firstShare(Path group) {
    return share(
        KernelFile.text(group.resolve("cpu.cfs_quota_us")),
        KernelFile.text(group.resolve("cpu.cfs_period_us")));
  }

  private static double share(String quota, String period) {
    double of = CgroupTree.number(period);
    return of == 0 ? 0 : CgroupTree.number(quota) / of;
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

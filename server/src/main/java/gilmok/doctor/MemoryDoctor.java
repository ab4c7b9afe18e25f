package gilmok.doctor;

import gilmok.app.ServerConfig;
import gilmok.config.Part;
import gilmok.observe.CgroupTree;
import gilmok.observe.KernelFile;
import gilmok.runsheet.RunSheetConfig;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Looks at the memory that a server has, that it asked for and that it takes, and at swap.
 *
 * @param root of the file system
 * @param environment of this process
 * @param besideBytes what a server takes beside its heap
 * @param ownHeap the heap of this process
 */
record MemoryDoctor(Path root, Map<String, String> environment, long besideBytes, long ownHeap) {
  private static final long HEAP_MIN = 500L << 20;
  private static final long SERVER_BESIDE = 200L << 20;
  private static final long PLANNER_BESIDE = 100L << 20;
  private static final double REQUEST_MIN = 0.66;
  private static final int ADJUST_MOST = 1000;
  private static final int MEBI = 20;

  /** What a server with these settings takes beside its heap, as docs/running.md reckons it. */
  static long beside(ServerConfig config) {
    RunSheetConfig sheets = config.of(RunSheetConfig.class);
    boolean hasChild =
        config.has(Part.RUN_SHEETS) && sheets.process() == RunSheetConfig.Place.CHILD;
    return SERVER_BESIDE + (hasChild ? PLANNER_BESIDE + (sheets.childHeapMebibytes() << MEBI) : 0);
  }

  /** Looks at it. */
  List<Check> look() {
    CgroupTree groups = CgroupTree.at(root);
    long limit = groups.least("memory", "memory.max", "memory.limit_in_bytes");
    long machine = kilobytes("MemTotal") << 10;
    List<Check> checks = new ArrayList<>();
    swap(groups, checks);
    if (limit > 0 || machine > 0) {
      memory(limit, machine, checks);
    }
    if (limit > 0) {
      request(groups, limit, machine, checks);
    }
    return checks;
  }

  private void swap(CgroupTree groups, List<Check> checks) {
    long kilobytes = kilobytes("SwapTotal");
    if (kilobytes < 0) {
      return;
    }
    boolean isForbidden = hasNoSwap(groups);
    String seen = kilobytes == 0 ? "none" : "%,d MB".formatted(kilobytes >> 10);
    checks.add(
        Check.of(
            "swap",
            isForbidden && kilobytes > 0 ? seen + ", none for this container" : seen,
            kilobytes == 0 || isForbidden,
            "swapoff -a, vm.swappiness=1, or none for the container (memory.swap.max=0; docker run"
                + " --memory-swap like --memory): a heap that is swapped out makes each collection"
                + " last for seconds"));
  }

  private static boolean hasNoSwap(CgroupTree groups) {
    if (groups.isSecond()) {
      return groups.texts("memory", "memory.swap.max", "").contains("0");
    }
    // Of v1: memory and swap together.
    long both = groups.least("memory", "", "memory.memsw.limit_in_bytes");
    return both > 0 && both == groups.least("memory", "", "memory.limit_in_bytes");
  }

  private void memory(long limit, long machine, List<Check> checks) {
    long most = limit > 0 ? limit : machine;
    ServeHeap heap =
        ServeHeap.find(root, environment.getOrDefault("JAVA_TOOL_OPTIONS", ""), most, ownHeap);
    long needed = heap.bytes() + besideBytes;
    String seen =
        "%s %,d MB; %,d MB of heap (%s) and %,d MB beside it"
            .formatted(
                limit > 0 ? "limit" : "machine",
                most >> MEBI,
                heap.bytes() >> MEBI,
                heap.whose(),
                besideBytes >> MEBI);
    checks.add(
        Check.of(
            "memory",
            seen,
            most >= needed,
            "give it %,d MB or more, or a smaller -Xmx, fewer run-sheets.workers, or run sheets"
                    .formatted(needed >> MEBI)
                + " elsewhere: the kernel ends what is over its limit"));
    checks.add(
        Check.of(
            "heap",
            "%,d MB".formatted(heap.bytes() >> MEBI),
            heap.bytes() >= HEAP_MIN,
            "give it 512 MB or more, by -Xmx or by more memory: below that, it collects more than"
                + " it answers"));
  }

  private void request(CgroupTree groups, long limit, long machine, List<Check> checks) {
    long request =
        Math.max(
            groups.own("memory", "memory.low", "memory.soft_limit_in_bytes"),
            groups.own("memory", "memory.min", ""));
    boolean isPod = environment.containsKey("KUBERNETES_SERVICE_HOST");
    if (request == 0 && isPod) {
      request = ofPod(limit, machine);
    }
    if (request > 0 || isPod) {
      checks.add(
          Check.of(
              "memory asked for",
              request == 0 ? "none" : "about %,d MB".formatted(request >> MEBI),
              request >= REQUEST_MIN * limit,
              "raise the container's request (resources.requests.memory) to its limit: when the"
                  + " node runs short, what uses more than it asked for is ended first"));
    }
  }

  /**
   * What a pod has asked for, by the kubelet's formula the other way round: who is ended first is
   * told by the share of the node that it asked for. Below 0 for one whose request is its limit.
   */
  private long ofPod(long limit, long machine) {
    String text = text("proc/self/oom_score_adj");
    if (!text.matches("-?\\d{1,4}")) {
      return 0;
    }
    int adjust = Integer.parseInt(text);
    return adjust < 0 ? limit : machine / ADJUST_MOST * (ADJUST_MOST - adjust);
  }

  /** A number of meminfo; -1 where there is none. */
  private long kilobytes(String name) {
    Matcher line =
        Pattern.compile("^" + name + ":\\s+(\\d{1,15}) kB", Pattern.MULTILINE)
            .matcher(text("proc/meminfo"));
    return line.find() ? Long.parseLong(Objects.requireNonNull(line.group(1))) : -1;
  }

  private String text(String file) {
    return KernelFile.text(root.resolve(file));
  }
}

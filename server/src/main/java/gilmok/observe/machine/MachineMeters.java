package gilmok.observe.machine;

import com.sun.management.GarbageCollectorMXBean;
import com.sun.management.GcInfo;
import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;
import gilmok.observe.Meters;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.function.DoubleSupplier;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import jdk.management.VirtualThreadSchedulerMXBean;
import org.jspecify.annotations.Nullable;

/** The metrics of the machine, the process and its JVM that Micrometer does not have. Stateless. */
public final class MachineMeters {
  private static final double NANOS = 1e9;

  private MachineMeters() {}

  /**
   * Registers them; what this machine does not have is left out.
   *
   * @param isLoop whether a thread's name, cut after 15 bytes, is that of a background loop
   */
  public static void show(Meters meters, Predicate<String> isLoop) {
    ofKernel(meters, Path.of("/proc"), isLoop);
    ofMemory(meters);
    ofProcessor(meters);
    ofVirtualThreads(meters);
    LockWaits waits = new LockWaits();
    if (waits.isMeasured()) {
      meters.totals(
          "gilmok_lock_wait_seconds",
          "How long platform threads waited to enter a monitor.",
          waits::totals);
    }
  }

  static void ofKernel(Meters meters, Path root, Predicate<String> isLoop) {
    ProcFiles files = new ProcFiles(root);
    Path process = root.resolve("self");
    if (Files.isDirectory(process.resolve("task"))) {
      meters.counters(
          "gilmok_processor_seconds_total",
          "Processor time of this process, by what its threads are for.",
          "part",
          new ProcessorParts(process, isLoop)::seconds);
    }
    gauge(meters, "gilmok_host_load1", "The machine's load of the last minute.", files::load);
    gauge(
        meters,
        "gilmok_host_swap_used_bytes",
        "How much of the machine's swap is in use.",
        files::swapUsedBytes);
    gauge(
        meters,
        "gilmok_process_swap_bytes",
        "How much of this process is in the swap.",
        files::processSwapBytes);
    counter(
        meters,
        "gilmok_process_major_faults_total",
        "How often this process waited for memory to be read from a disk.",
        files::majorFaults);
    for (String resource : List.of("cpu", "memory", "io")) {
      counter(
          meters,
          "gilmok_host_pressure_seconds_total",
          "How long some thread of the machine waited for a resource.",
          () -> files.pressureSeconds(resource),
          "resource",
          resource);
    }
  }

  private static void ofMemory(Meters meters) {
    Set<String> heap =
        ManagementFactory.getMemoryPoolMXBeans().stream()
            .filter(pool -> pool.getType() == MemoryType.HEAP)
            .map(MemoryPoolMXBean::getName)
            .collect(Collectors.toSet());
    meters.gauge(
        "gilmok_heap_after_gc_bytes",
        "Heap in use after the last collection of any kind.",
        () -> afterCollection(heap));
    if (ManagementFactory.getThreadMXBean() instanceof ThreadMXBean threads) {
      counter(
          meters,
          "gilmok_allocated_bytes_total",
          "Bytes that all threads have allocated in the heap.",
          threads::getTotalThreadAllocatedBytes);
    }
  }

  /** The heap in use after the last collection; 0 before the first. */
  private static double afterCollection(Set<String> heap) {
    @Nullable GcInfo last = null;
    for (GarbageCollectorMXBean collector :
        ManagementFactory.getPlatformMXBeans(GarbageCollectorMXBean.class)) {
      GcInfo its = collector.getLastGcInfo();
      if (its != null && (last == null || its.getEndTime() > last.getEndTime())) {
        last = its;
      }
    }
    if (last == null) {
      return 0;
    }
    long bytes = 0;
    for (var pool : last.getMemoryUsageAfterGc().entrySet()) {
      bytes += heap.contains(pool.getKey()) ? pool.getValue().getUsed() : 0;
    }
    return bytes;
  }

  private static void ofProcessor(Meters meters) {
    meters.gauge(
        "gilmok_processors",
        "Processors that Java sees.",
        () -> Runtime.getRuntime().availableProcessors());
    if (ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean system) {
      counter(
          meters,
          "process_cpu_seconds_total",
          "Processor time of this process.",
          () -> system.getProcessCpuTime() / NANOS);
    }
  }

  private static void ofVirtualThreads(Meters meters) {
    VirtualThreadSchedulerMXBean scheduler =
        ManagementFactory.getPlatformMXBean(VirtualThreadSchedulerMXBean.class);
    meters.gauge(
        "gilmok_virtual_threads_parallelism",
        "How many virtual threads can run at once.",
        scheduler::getParallelism);
    meters.gauge(
        "gilmok_virtual_threads_pool_size",
        "Platform threads that carry virtual threads.",
        scheduler::getPoolSize);
    meters.gauge(
        "gilmok_virtual_threads_mounted",
        "Virtual threads that are on a carrier.",
        scheduler::getMountedVirtualThreadCount);
    meters.gauge(
        "gilmok_virtual_threads_queued",
        "Virtual threads that could run and wait for a carrier.",
        scheduler::getQueuedVirtualThreadCount);
  }

  private static void gauge(Meters meters, String name, String help, DoubleSupplier value) {
    if (value.getAsDouble() >= 0) {
      meters.gauge(name, help, value);
    }
  }

  private static void counter(
      Meters meters, String name, String help, DoubleSupplier total, String... labels) {
    if (total.getAsDouble() >= 0) {
      meters.counter(name, help, () -> Math.max(0, total.getAsDouble()), labels);
    }
  }
}

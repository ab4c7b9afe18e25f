package gilmok.process;

import gilmok.observe.AotCache;
import gilmok.observe.Cgroup;
import gilmok.runtime.Version;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.text.DecimalFormat;
import java.text.DecimalFormatSymbols;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The line that a server logs about itself and its environment when it starts, and its warnings.
 *
 * @param java the version of Java
 * @param collector the name of the garbage collector
 * @param heapBytes the heap limit
 * @param processors the number of processors that Java sees, which decides how many threads it
 *     makes
 * @param limits the limits of the container, if there is one
 * @param isHeapGiven whether an option of Java bounds the heap; otherwise the machine's memory does
 * @param isContainer whether the process runs in a container
 */
record StartLine(
    String version,
    String java,
    String collector,
    long heapBytes,
    int processors,
    Cgroup limits,
    boolean isHeapGiven,
    boolean isContainer,
    AotCache aot) {

  /** On so many processors, threads for each of them are no burden even where others use some. */
  private static final int FEW_PROCESSORS = 4;

  private static final String SEE = "; see docs/running.md";

  /** The line of this process. */
  static StartLine ofThisProcess() {
    Runtime runtime = Runtime.getRuntime();
    return new StartLine(
        Version.ofThis(),
        System.getProperty("java.version"),
        collector(
            ManagementFactory.getGarbageCollectorMXBeans().stream()
                .map(GarbageCollectorMXBean::getName)
                .toList()),
        runtime.maxMemory(),
        runtime.availableProcessors(),
        Cgroup.ofThisProcess(),
        isHeapGiven(ManagementFactory.getRuntimeMXBean().getInputArguments()),
        Cgroup.isContainer(System.getenv(), Path.of("/")),
        AotCache.ofThisProcess());
  }

  /** Whether one of Java's options bounds the heap. */
  static boolean isHeapGiven(List<String> options) {
    return options.stream()
        .anyMatch(
            option ->
                option.startsWith("-Xmx")
                    || option.startsWith("-XX:MaxHeapSize")
                    || option.startsWith("-XX:MaxRAM"));
  }

  /** The name of the garbage collector. Java names only the collector's parts. */
  static String collector(List<String> parts) {
    String first = parts.isEmpty() ? "" : parts.getFirst();
    if (parts.contains("Copy") || parts.contains("MarkSweepCompact")) {
      return "Serial";
    }
    return first.startsWith("PS ") ? "Parallel" : first.replaceFirst(" .*", "");
  }

  /**
   * The line to log.
   *
   * @param node the node id
   */
  String line(String node) {
    return "Gilmok %s, node %s; Java %s, %s, heap %s%s; processors %d%s; AOT cache: %s"
        .formatted(
            version,
            node,
            java,
            collector,
            mebibytes(heapBytes),
            limits.memoryBytes() == 0
                ? ""
                : " (of a memory limit of " + mebibytes(limits.memoryBytes()) + ")",
            processors,
            limits.processors() == 0 ? "" : " (of a limit of " + plain(limits.processors()) + ")",
            switch (aot) {
              case NONE -> "none; \"gilmok train\" makes one";
              case USED -> "used";
              case UNUSED -> "not used";
              case MAKING -> "being made";
              case UNKNOWN -> "given";
            });
  }

  /** Problems of the environment that matter on this machine, one line each. */
  List<String> warnings() {
    List<String> all = new ArrayList<>();
    if (limits.processors() > 0 && limits.processors() < 1) {
      all.add(
          "limited to "
              + plain(limits.processors())
              + " of a processor: compiler, garbage collector and requests share it, so it warms"
              + " up slowly and pauses; give it one or more"
              + SEE);
    }
    if (isContainer && limits.processors() == 0 && processors > FEW_PROCESSORS) {
      all.add(
          "a container without a processor limit: Java makes threads for all "
              + processors
              + " of the machine, which other containers may use; set a limit"
              + SEE);
    }
    if (isContainer && limits.memoryBytes() == 0 && !isHeapGiven) {
      all.add(
          "a container without a memory limit: the heap may take a quarter of the machine's memory;"
              + " set a limit, or -Xmx in GILMOK_OPTS"
              + SEE);
    }
    if (aot == AotCache.UNUSED) {
      all.add(
          "the AOT cache does not fit, so the start is slower: it was made by another Java, from"
              + " another jar or with other options (Java's own lines above say which);"
              + " \"gilmok train\" makes one that fits, with the present GILMOK_OPTS, \"gilmok train"
              + " --with-agent\" one for a -javaagent"
              + SEE);
    }
    return all;
  }

  private static String mebibytes(long bytes) {
    return (bytes >> 20) + " MiB";
  }

  private static String plain(double number) {
    return new DecimalFormat("0.###", DecimalFormatSymbols.getInstance(Locale.ROOT)).format(number);
  }
}

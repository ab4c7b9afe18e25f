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
 * What a server says of itself and of where it runs when it starts, and what it warns of.
 *
 * @param java the version of the Java it runs on
 * @param collector the collector's name
 * @param heapBytes the most the heap may take
 * @param processors as many as Java counts, and makes its threads for
 * @param limits of the container, if it is one
 * @param isContainer whether it runs in one
 */
record StartLine(
    String version,
    String java,
    String collector,
    long heapBytes,
    int processors,
    Cgroup limits,
    boolean isContainer,
    AotCache aot) {

  private static final String SEE = "; see docs/running.md";

  /** Of this process. */
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
        Cgroup.isContainer(System.getenv(), Path.of("/")),
        AotCache.ofThisProcess());
  }

  /** Java names the collector's parts, and not itself. */
  static String collector(List<String> parts) {
    String first = parts.isEmpty() ? "" : parts.getFirst();
    if (parts.contains("Copy") || parts.contains("MarkSweepCompact")) {
      return "Serial";
    }
    return first.startsWith("PS ") ? "Parallel" : first.replaceFirst(" .*", "");
  }

  /**
   * The line.
   *
   * @param node the server's id
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
              case NONE -> "none; \"gilmok build\" makes one";
              case USED -> "used";
              case UNUSED -> "not used";
              case MAKING -> "being made";
              case UNKNOWN -> "given";
            });
  }

  /** What is not as it should be where it runs; each a line. */
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
    if (isContainer && limits.processors() == 0) {
      all.add(
          "a container without a processor limit: Java makes threads for all "
              + processors
              + " of the machine, which other containers may use; set a limit"
              + SEE);
    }
    if (isContainer && limits.memoryBytes() == 0) {
      all.add(
          "a container without a memory limit: the heap's bound comes from the machine's memory,"
              + " or from an option; set a limit"
              + SEE);
    }
    if (aot == AotCache.UNUSED) {
      all.add(
          "the AOT cache does not fit, so the start is slower: it was made by another Java, from"
              + " another jar or with other options (Java's own lines above say which);"
              + " \"gilmok build\" makes one that fits, with the present GILMOK_OPTS"
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

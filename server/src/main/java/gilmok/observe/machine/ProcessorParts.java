package gilmok.observe.machine;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * The processor time of this process, by what its threads are for, which their names say. What a
 * thread uses between the last look and its end counts as {@link Part#OTHER}, so the parts always
 * add up to the whole process, and none ever falls. Reads some files for each thread. Thread-safe.
 */
final class ProcessorParts {
  /** More threads than a server ever has; what is over it counts as {@link Part#OTHER}. */
  static final int THREADS_MAX = 4096;

  /** How no name begins. */
  private static final String NONE = "(?!)";

  /** What threads are for. */
  enum Part {
    EVENT_LOOPS("vert\\.x-(eventloo|acceptor)"),
    VIRTUAL_THREADS("ForkJoinPool-|VirtualThread-"),
    LOG("log-"),
    SINKS("sink-|kafka-"),
    /** By the loops' own names. */
    LOOPS(NONE),
    DOCUMENTS("documents|cluster-|AsyncGetter-|MaintenanceTime"),
    /** The thread of the JVM's operations is that of the serial collector. */
    GC("GC Thread#|G1 |VM Thread"),
    COMPILER("C[12] Compiler"),
    OTHER(NONE);

    private final Pattern start;

    Part(String start) {
      this.start = Pattern.compile(start);
    }

    private boolean has(String thread) {
      return start.matcher(thread).lookingAt();
    }

    /** The part's name in metrics. */
    String label() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  /** A thread at the last look. */
  private record Last(String began, long ticks) {}

  private final Path process;
  private final Predicate<String> isLoop;
  private final Map<Part, Long> ticks = new EnumMap<>(Part.class);
  private final Map<String, Part> parts = new HashMap<>();
  private Map<String, Last> threads = Map.of();

  /**
   * Nothing seen yet.
   *
   * @param process the kernel's folder about the process
   * @param isLoop whether a name, cut after 15 bytes, is that of a background loop
   */
  ProcessorParts(Path process, Predicate<String> isLoop) {
    this.process = process;
    this.isLoop = isLoop;
    for (Part part : Part.values()) {
      ticks.put(part, 0L);
    }
  }

  /** Looks at all threads; the time that each part has used, in seconds. */
  synchronized Map<String, Double> seconds() {
    look();
    Map<String, Double> seconds = new LinkedHashMap<>();
    ticks.forEach((part, used) -> seconds.put(part.label(), used / ProcessStat.TICKS));
    return seconds;
  }

  private void look() {
    Map<String, Last> now = new HashMap<>();
    try (DirectoryStream<Path> all = Files.newDirectoryStream(process.resolve("task"))) {
      for (Path task : all) {
        look(task, now);
      }
    } catch (IOException | DirectoryIteratorException cannot) {
      return; // no descriptor is left, for instance: the next look sees all that was used
    }
    threads = now;
    ProcessStat whole = ProcessStat.read(process.resolve("stat"));
    if (whole != null) {
      long named = 0;
      for (Part part : Part.values()) {
        named += part == Part.OTHER ? 0 : ticks.getOrDefault(part, 0L);
      }
      ticks.merge(Part.OTHER, whole.ticks() - named, Math::max);
    }
  }

  private void look(Path task, Map<String, Last> now) {
    String id = task.getFileName().toString();
    Last before = threads.get(id);
    if (before == null && now.size() >= THREADS_MAX) {
      return;
    }
    ProcessStat stat = ProcessStat.read(task.resolve("stat"));
    if (stat == null) {
      if (before != null) { // it may not have ended; otherwise it would be counted twice
        now.put(id, before);
      }
      return;
    }
    long used = before != null && before.began.equals(stat.began()) ? before.ticks : 0;
    long more = stat.ticks() - used;
    ticks.merge(part(stat.name()), Math.max(0, more), Long::sum);
    now.put(id, new Last(stat.began(), stat.ticks()));
  }

  /** By what the name says; looked up again only for names that are new. */
  private Part part(String thread) {
    Part known = parts.get(thread);
    if (known == null) {
      known = find(thread);
      if (parts.size() < THREADS_MAX) {
        parts.put(thread, known);
      }
    }
    return known;
  }

  private Part find(String thread) {
    for (Part part : Part.values()) {
      if (part.has(thread)) {
        return part;
      }
    }
    return isLoop.test(thread) ? Part.LOOPS : Part.OTHER;
  }
}

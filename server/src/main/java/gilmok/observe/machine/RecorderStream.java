package gilmok.observe.machine;

import gilmok.observe.Histogram;
import gilmok.observe.Meters;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingStream;

/**
 * The few events of Java's flight recorder that become metrics, without their stacks. A class of
 * its own, as a Java without the module {@code jdk.jfr} cannot link it.
 */
final class RecorderStream implements AutoCloseable {
  private static final Duration PINNED_LEAST = Duration.ofMillis(1);
  private static final Duration PAUSE_LEAST = Duration.ofMillis(10);
  private static final Duration FORCE_LEAST = Duration.ofMillis(20);
  private static final Set<String> OF_THREADS =
      Set.of("ThreadDump", "PrintThreads", "FindDeadlocks", "PrintJNI");
  private static final Set<String> OF_HEAP =
      Set.of("HeapDumper", "HeapDumpMerge", "GC_HeapInspection");

  private final RecordingStream stream = new RecordingStream();

  /** The histograms, registered once: a stream that begins anew goes on with them. */
  static final class Waits {
    private final Histogram pinned;
    private final Map<String, Histogram> pauses;
    private final Map<String, Histogram> forces;
    private final Path data;

    /**
     * Registers them.
     *
     * @param data the data folder
     */
    Waits(Meters meters, Path data) {
      this.data = data.toAbsolutePath();
      pinned =
          meters.seconds(
              "gilmok_virtual_thread_pinned_seconds",
              "How long a virtual thread kept its carrier while it waited.");
      pauses =
          each(
              kind ->
                  meters.seconds(
                      "gilmok_jvm_pause_seconds",
                      "Long pauses in which the JVM stopped all threads.",
                      "kind",
                      kind),
              "collection",
              "heap",
              "threads",
              "stopping",
              "other");
      forces =
          each(
              file ->
                  meters.seconds(
                      "gilmok_slow_force_seconds",
                      "Forced writes of files that took long.",
                      "file",
                      file),
              "log",
              "documents",
              "other");
    }

    private static Map<String, Histogram> each(Function<String, Histogram> made, String... labels) {
      Map<String, Histogram> all = new TreeMap<>();
      for (String label : labels) {
        all.put(label, made.apply(label));
      }
      return all;
    }

    private void pinned(RecordedEvent wait) {
      pinned.record(wait.getDuration().toNanos());
    }

    private void operation(RecordedEvent operation) {
      if (operation.getBoolean("safepoint")) {
        pause(kind(operation.getString("operation")), operation);
      }
    }

    private void stopping(RecordedEvent begin) {
      pause("stopping", begin);
    }

    private void pause(String kind, RecordedEvent pause) {
      record(pauses, kind, pause);
    }

    private void force(RecordedEvent force) {
      record(forces, file(force.getString("path"), data), force);
    }

    private static void record(Map<String, Histogram> all, String label, RecordedEvent event) {
      Histogram histogram = all.get(label);
      if (histogram != null) {
        histogram.record(event.getDuration().toNanos());
      }
    }
  }

  /** Starts it. */
  RecorderStream(Waits waits) {
    stream.enable("jdk.VirtualThreadPinned").withThreshold(PINNED_LEAST).withoutStackTrace();
    stream.onEvent("jdk.VirtualThreadPinned", waits::pinned);
    stream.enable("jdk.ExecuteVMOperation").withThreshold(PAUSE_LEAST).withoutStackTrace();
    stream.onEvent("jdk.ExecuteVMOperation", waits::operation);
    stream.enable("jdk.SafepointBegin").withThreshold(PAUSE_LEAST).withoutStackTrace();
    stream.onEvent("jdk.SafepointBegin", waits::stopping);
    stream.enable("jdk.FileForce").withThreshold(FORCE_LEAST).withoutStackTrace();
    stream.onEvent("jdk.FileForce", waits::force);
    stream.setReuse(true);
    stream.startAsync();
  }

  /** What the JVM stopped all threads for. */
  static String kind(String operation) {
    if (OF_HEAP.contains(operation)) {
      return "heap";
    }
    if (OF_THREADS.contains(operation)) {
      return "threads";
    }
    boolean isCollection =
        operation.contains("Collect")
            || operation.startsWith("G1")
            || operation.startsWith("Z")
            || operation.startsWith("Shenandoah");
    return isCollection ? "collection" : "other";
  }

  /** Which file it is: of the log, of the documents, or another one. */
  static String file(String path, Path data) {
    Path absolute = Path.of(path).toAbsolutePath();
    if (!absolute.startsWith(data) || absolute.equals(data)) {
      return "other";
    }
    String first = data.relativize(absolute).getName(0).toString();
    return first.equals("log") || first.startsWith("documents")
        ? first.substring(0, first.equals("log") ? 3 : "documents".length())
        : "other";
  }

  @Override
  public void close() {
    stream.close();
  }
}

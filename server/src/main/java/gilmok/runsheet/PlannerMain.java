package gilmok.runsheet;

import gilmok.background.LowPriority;
import gilmok.observe.AotCache;
import gilmok.observe.Logging;
import gilmok.runsheet.plan.Planner;
import gilmok.runtime.Signals;
import java.io.BufferedInputStream;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The main class of the process in which a server's run sheets are planned. It is started only by a
 * server, which passes the number of concurrent plans, and ends when its standard input ends.
 */
public final class PlannerMain {
  /** A fixed seed, so that the same problem gets the same plan. */
  private static final long SEED = 1;

  private static final List<Path> NICE = List.of(Path.of("/usr/bin/nice"), Path.of("/bin/nice"));

  private PlannerMain() {}

  /** The planner. */
  public static Solver solver() {
    return (problem, budget) -> Planner.plan(problem, budget, SEED);
  }

  /**
   * The command line that starts the process. It uses the server's own classes, a heap for the
   * configured number of concurrent plans, and a low priority for all threads of its JVM; the
   * planning threads are set to run only when a processor is idle.
   */
  public static List<String> line(RunSheetConfig config) {
    List<String> line = new ArrayList<>();
    NICE.stream()
        .filter(Files::isExecutable)
        .findFirst()
        .ifPresent(nice -> line.addAll(List.of(nice.toString(), "-n", "" + LowPriority.NICE)));
    line.addAll(
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            // Standard output carries plans, but the JVM would log there, for example about an AOT
            // cache that does not fit.
            "-Xlog:disable",
            "-Xlog:all=warning:stderr",
            "-Xmx" + config.childHeapMebibytes() + "m",
            "-XX:+UseSerialGC",
            "-XX:+ExitOnOutOfMemoryError",
            "--enable-native-access=ALL-UNNAMED"));
    line.addAll(AotCache.optionsForAnother());
    line.addAll(
        List.of(
            "-cp",
            System.getProperty("java.class.path"),
            PlannerMain.class.getName(),
            Integer.toString(config.workers())));
    return line;
  }

  /** Signals are ignored: the server ends this process after it has answered its last request. */
  public static void main(String[] arguments) throws IOException {
    Signals.hear(() -> {});
    try (Logging _ = Logging.start(Level.WARNING);
        InputStream in = new BufferedInputStream(new FileInputStream(FileDescriptor.in));
        OutputStream out = new FileOutputStream(FileDescriptor.out)) {
      // Any other output on standard output would corrupt the frames.
      System.setOut(System.err);
      int workers = Integer.parseInt(arguments[0]);
      PlannerProcess.serve(solver(), in, out, workers, LowPriority.idleThreads("planner"));
    }
  }
}

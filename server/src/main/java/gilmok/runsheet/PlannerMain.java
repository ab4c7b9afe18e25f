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
 * The program of the process in which a server's run sheets are planned. Nobody but a server starts
 * it, with the number of plans to make at once, and it ends with what it reads.
 */
public final class PlannerMain {
  /** The same problem has the same plan. */
  private static final long SEED = 1;

  private static final List<Path> NICE = List.of(Path.of("/usr/bin/nice"), Path.of("/bin/nice"));

  private PlannerMain() {}

  /** The planner itself. */
  public static Solver solver() {
    return (problem, budget) -> Planner.plan(problem, budget, SEED);
  }

  /**
   * How a server starts it: from the server's own classes, with a heap for as many plans as are
   * made at once, and of a low priority, all threads of its JVM included; those that plan are idle
   * ones.
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
            // Its standard output is for plans; a cache that does not fit makes Java talk there.
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

  /** Signals are for the server, which ends this process when it has answered everybody. */
  public static void main(String[] arguments) throws IOException {
    Signals.hear(() -> {});
    try (Logging _ = Logging.start(Level.WARNING);
        InputStream in = new BufferedInputStream(new FileInputStream(FileDescriptor.in));
        OutputStream out = new FileOutputStream(FileDescriptor.out)) {
      // Whatever else might print would not be a frame.
      System.setOut(System.err);
      int workers = Integer.parseInt(arguments[0]);
      PlannerProcess.serve(solver(), in, out, workers, LowPriority.idleThreads("planner"));
    }
  }
}

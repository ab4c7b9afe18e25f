package gilmok.lab;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code lab fuzz}: fuzzes the JSON scanner against its oracle, or the dialects, guided by
 * coverage, until a number of minutes has reached no new code. Run from the checkout's root after
 * the server's tests were compiled.
 *
 * <p>Jazzer does the fuzzing in a process of its own; Maven fetches it at the first run, and
 * nothing depends on it. Exit 0: no new code any more; 1: a difference was found, and its input is
 * kept in the corpus folder.
 */
@Command(
    name = "fuzz",
    description = {
      "Fuzz the JSON scanner against its oracle, or the dialects of phone apps, led "
          + "by coverage, until nothing new is found. It needs the server's compiled tests "
          + "(./gilmok test, once).",
      "",
      "Exit code: 0 if no new code is reached any more, 1 if a difference was "
          + "found, 2 if the time is over."
    },
    footer = {
      "",
      "Examples:",
      "  gilmok lab fuzz --minutes-max 1",
      "  gilmok lab fuzz --dialects                       # 10 minutes and more"
    })
final class Fuzz implements Callable<Integer> {
  private static final String VERSION = "0.30.0";
  private static final Pattern COVERAGE = Pattern.compile("#(\\d+)\\s.*\\bcov: (\\d+)");
  private static final Duration POLL = Duration.ofSeconds(1);

  @Option(names = "--dialects", description = "Fuzz the dialects, not the scanner.")
  private boolean dialects;

  @Option(
      names = "--quiet-minutes",
      defaultValue = "10",
      description = "Minutes without new code after which it ends (default: ${DEFAULT-VALUE}).")
  private int quietMinutes;

  @Option(
      names = "--minutes-max",
      defaultValue = "120",
      description = "Minutes after which it ends at the latest (default: ${DEFAULT-VALUE}).")
  private int minutesMax;

  @Option(
      names = "--corpus",
      defaultValue = "lab/target/fuzz",
      paramLabel = "DIR",
      description = "Where inputs are kept (default: ${DEFAULT-VALUE}).")
  private Path corpus = Path.of("lab/target/fuzz");

  @Option(
      names = "--tests",
      defaultValue = "server/target/test-classes",
      paramLabel = "DIR",
      description = "The server's compiled tests (default: ${DEFAULT-VALUE}).")
  private Path tests = Path.of("server/target/test-classes");

  private final AtomicLong lastNews = new AtomicLong(System.nanoTime());
  private volatile String state = "starting";

  @Override
  public Integer call() throws IOException, InterruptedException {
    Fuzzed what = dialects ? Fuzzed.DIALECTS : Fuzzed.JSON;
    Path inputs = corpus.resolve(what.name());
    Files.createDirectories(inputs);
    for (int i = 0; i < what.seeds().size(); i++) {
      Files.writeString(inputs.resolve("seed-" + i), what.seeds().get(i));
    }
    Files.write(
        corpus.resolve("words"),
        Stream.of(what.words().split(" ")).map(word -> '"' + word + '"').toList());
    Process jazzer = new ProcessBuilder(command(what, inputs)).redirectErrorStream(true).start();
    try (BufferedReader output = jazzer.inputReader(StandardCharsets.UTF_8)) {
      Thread reader = Thread.ofVirtual().start(() -> follow(output));
      int code = watch(jazzer);
      reader.join();
      return code;
    } finally {
      jazzer.destroy();
    }
  }

  private List<String> command(Fuzzed what, Path inputs) throws IOException, InterruptedException {
    List<String> classPath = new ArrayList<>();
    classPath.add(tests.toString());
    classPath.add(System.getProperty("java.class.path"));
    classPath.add(fetched("jazzer").toString());
    classPath.add(fetched("jazzer-api").toString());
    return List.of(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "--enable-native-access=ALL-UNNAMED",
        "--sun-misc-unsafe-memory-access=allow",
        "-cp",
        String.join(File.pathSeparator, classPath),
        "com.code_intelligence.jazzer.Jazzer",
        "--target_class=" + what.target(),
        "--instrumentation_includes=gilmok.collect.**:gilmok.event.**",
        "--disabled_hooks=com.**",
        "--reproducer_path=" + corpus,
        "-artifact_prefix=" + corpus + "/",
        "-dict=" + corpus.resolve("words"),
        "-max_len=4096",
        inputs.toString());
  }

  private static Path fetched(String artifact) throws IOException, InterruptedException {
    Path folder = Path.of("lab/target/jazzer");
    Path jar = folder.resolve(artifact + "-" + VERSION + ".jar");
    if (!Files.exists(jar)) {
      ProcessBuilder maven =
          new ProcessBuilder(
                  "mvn",
                  "-q",
                  "-B",
                  "-N",
                  "dependency:copy",
                  "-Dartifact=com.code-intelligence:" + artifact + ":" + VERSION,
                  "-DoutputDirectory=" + folder.toAbsolutePath())
              .inheritIO();
      // The Maven options of the checkout need the JDK that runs this program.
      maven.environment().put("JAVA_HOME", System.getProperty("java.home"));
      int code = maven.start().waitFor();
      if (code != 0) {
        throw new IOException("Maven could not fetch " + artifact + " " + VERSION);
      }
    }
    return jar;
  }

  private void follow(BufferedReader output) {
    long best = 0;
    try {
      for (String line = output.readLine(); line != null; line = output.readLine()) {
        Matcher matcher = COVERAGE.matcher(line);
        if (matcher.find()) {
          long coverage = Long.parseLong(matcher.group(2));
          state = matcher.group(1) + " inputs, coverage " + Math.max(best, coverage);
          if (coverage > best) {
            best = coverage;
            lastNews.set(System.nanoTime());
          }
        } else if (!line.startsWith("INFO: ") && !line.startsWith("#")) {
          System.out.println(line);
        }
      }
    } catch (IOException e) {
      state = "output lost: " + e.getMessage();
    }
  }

  private int watch(Process jazzer) throws InterruptedException {
    Duration quiet = Duration.ofMinutes(quietMinutes);
    long end = System.nanoTime() + Duration.ofMinutes(minutesMax).toNanos();
    long report = 0;
    while (!jazzer.waitFor(POLL.toMillis(), TimeUnit.MILLISECONDS)) {
      long now = System.nanoTime();
      Duration silence = Duration.ofNanos(now - lastNews.get());
      if (silence.compareTo(quiet) >= 0 || now > end) {
        System.out.println(state + ", nothing new for " + silence.toSeconds() + " s");
        jazzer.destroy();
        return silence.compareTo(quiet) >= 0 ? 0 : 2;
      }
      if (++report % 30 == 0) {
        System.out.println(state + ", nothing new for " + silence.toSeconds() + " s");
      }
    }
    System.out.println("Jazzer ended with " + jazzer.exitValue() + ": " + state);
    return 1;
  }
}

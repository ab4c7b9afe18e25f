package gilmok.lab;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import gilmok.cli.Commands;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;

/**
 * The examples of every command's help, pasted into a shell in a folder as a build leaves one, with
 * the files that they name, beside a real server. Only ports are others. Of the lab's, which can
 * take an hour, all are parsed, and those that take seconds are run. The launcher's own commands
 * build and test this very program, so their examples are not run.
 */
@Tag("process")
final class ExamplesIT {
  private static final Path ROOT = Path.of("..");
  private static final long PATIENCE_SECONDS = 90;
  private static final Duration LINE_PATIENCE = Duration.ofMinutes(3);

  /** Those that work on the program, and take minutes. */
  private static final Pattern OF_LAB = Pattern.compile("gilmok (lab|capacity|compare-runs)\\b.*");

  /** The lab's examples that take seconds. */
  private static final List<String> QUICK =
      List.of(
          "gilmok lab disk --seconds 2",
          "gilmok lab plan --orders 10 ",
          "gilmok lab chart ",
          "gilmok lab cost ",
          "gilmok lab load --key \"$(cat data/admin.key)\" --seconds 2",
          "gilmok lab fleet --key \"$(cat data/admin.key)\" --riders 20 ",
          "gilmok lab deliveries --key \"$(cat data/admin.key)\" \\",
          "gilmok lab day ");

  @TempDir Path folder;

  private int port;

  @BeforeEach
  void asAfterABuild() throws IOException {
    try (ServerSocket free = new ServerSocket(0)) {
      port = free.getLocalPort();
    }
    Files.copy(ROOT.resolve("gilmok"), folder.resolve("gilmok"));
    ClassPathJar.write(folder, "server/target/gilmok-all.jar", "gilmok.process.Main");
    ClassPathJar.write(folder, "lab/target/gilmok-lab-all.jar", "gilmok.lab.Lab");
    ExampleFiles.write(folder);
  }

  @Test
  void besideAServer_eachWorksAsItStands() throws Exception {
    // Not "accept", which would ask other machines; its own tests have engines for it.
    // A sink that the settings then name no more.
    once("--set sinks.enabled=files,redis --set redis.url=redis://127.0.0.1:1");
    List<String> examples =
        examples(
            one ->
                !one.matches("gilmok (serve|demo|ship|log salvage|compact|accept)")
                    && !OF_LAB.matcher(one).matches()
                    && !one.equals("gilmok"));
    assertThat(examples).hasSizeGreaterThan(40);
    Process server = lasting("gilmok serve --no-warmup --set sinks.enabled=files");
    try {
      paste(
          examples.stream()
              // ImportMongoIT tries it with a database.
              .filter(example -> !example.contains("mongodb://"))
              .map(example -> example.replace(":8081", ":" + port))
              // What imports an export comes behind that.
              .sorted(Comparator.comparing(example -> example.startsWith("gilmok import all")))
              .toList());
    } finally {
      stop(server);
    }
  }

  @Test
  void ofFoldersWithoutAServer_eachWorksAsItStands() throws Exception {
    once("--set sinks.enabled=files");
    once("--data old-node");
    paste(examples(one -> one.matches("gilmok (ship|log salvage|compact)")));
  }

  @Test
  void lasting_eachStartsAndStops() throws Exception {
    List<String> examples = examples(one -> one.matches("gilmok (serve|demo)"));
    assertThat(examples).hasSizeGreaterThan(5);
    for (String example : examples) {
      // A smaller fleet, as the tests have two processors.
      String text = example.replace("--riders 5000", "--riders 50").replaceAll(" --port \\d+", "");
      stop(lasting(text.startsWith("gilmok serve") ? text + " --no-warmup" : text));
    }
  }

  @Test
  void lab_eachIsUnderstood_andTheQuickOnesWork() throws Exception {
    List<String> examples = examples(one -> OF_LAB.matcher(one).matches());
    assertThat(examples).hasSizeGreaterThan(40);
    once("");
    for (String example : examples) {
      List<String> words = words(example);
      CommandLine line =
          Commands.line(example.startsWith("gilmok lab") ? "lab" : "", Lab.commands());
      assertThat(line.parseArgs(words.toArray(String[]::new)).errors()).as(example).isEmpty();
    }
    List<String> quick =
        examples.stream().filter(one -> QUICK.stream().anyMatch(one::startsWith)).toList();
    assertThat(quick).hasSize(QUICK.size() + 3);
    Files.writeString(
        folder.resolve("journal.csv"), "minute,transitions_per_s,p99_ms\n1,500,2.5\n2,510,2.4\n");
    Process server = lasting("gilmok serve --no-warmup");
    try {
      paste(quick.stream().distinct().toList());
    } finally {
      stop(server);
    }
  }

  /** The examples of the commands whose names are as wanted, each once, in the help's order. */
  private static List<String> examples(Predicate<String> wanted) {
    List<CommandLine> all = new ArrayList<>();
    all.add(Commands.line("", Lab.commands()));
    List<String> examples = new ArrayList<>();
    for (int i = 0; i < all.size(); i++) {
      CommandLine line = all.get(i);
      all.addAll(i + 1, line.getSubcommands().values());
      boolean isShown = !line.getCommandSpec().usageMessage().hidden();
      if (isShown && wanted.test(line.getCommandSpec().qualifiedName())) {
        examples.addAll(Examples.of(line.getUsageMessage(Ansi.OFF)));
      }
    }
    return examples;
  }

  /** What the shell makes of the program's arguments. */
  private List<String> words(String example) throws Exception {
    Process bash =
        shell("gilmok() { printf '%s\\n' \"$@\"; }\n" + example).redirectErrorStream(true).start();
    return new String(bash.getInputStream().readAllBytes(), UTF_8).lines().toList();
  }

  private void paste(List<String> examples) throws Exception {
    assertThat(examples).isNotEmpty();
    try (BashSession bash = new BashSession(shell("exec bash"), LINE_PATIENCE)) {
      bash.set("set -o pipefail");
      for (String example : examples) {
        BashSession.Ended ended = bash.run(example);
        // A load that other processes have spoilt says so: it is made again.
        for (int again = 0; again < 3 && isVoid(ended); again++) {
          ended = bash.run(example);
        }
        assertThat(ended.status()).as("%s\nit said: %s", example, ended.said()).isEqualTo("0");
      }
    }
  }

  private static boolean isVoid(BashSession.Ended ended) {
    return ended.status().equals("3")
        && ended.said().lines().anyMatch(line -> line.matches("verdict\\s+VOID.*"));
  }

  private ProcessBuilder shell(String text) {
    ProcessBuilder builder = new ProcessBuilder("bash", "-c", text).directory(folder.toFile());
    builder.environment().keySet().removeIf(name -> name.startsWith("GILMOK_"));
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    builder.environment().put("GILMOK_OPTS", "-XX:TieredStopAtLevel=1");
    builder.environment().put("GILMOK_URL", "http://127.0.0.1:" + port);
    builder.environment().merge("PATH", folder.toString(), (old, own) -> own + ":" + old);
    return builder;
  }

  /** A server that leaves its data folder. */
  private void once(String options) throws Exception {
    Process server =
        shell("gilmok serve --until-ready --no-warmup --port 0 " + options)
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("once.txt").toFile())
            .start();
    assertThat(server.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
    assertThat(server.exitValue()).as(Files.readString(folder.resolve("once.txt"))).isZero();
  }

  private Process lasting(String text) throws Exception {
    Path said = Files.createTempFile(folder, "said", ".txt");
    Process started =
        shell("exec " + text + " --port " + port)
            .redirectErrorStream(true)
            .redirectOutput(said.toFile())
            .start();
    long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
    try (HttpClient client = HttpClient.newHttpClient()) {
      while (!isReady(client)) {
        if (!started.isAlive() || System.nanoTime() > until) {
          started.destroy();
          throw new AssertionError(text + "\nit said: " + Files.readString(said));
        }
        LockSupport.parkNanos(50_000_000);
      }
    }
    return started;
  }

  private boolean isReady(HttpClient client) throws InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/health/ready"))
            .timeout(Duration.ofSeconds(5))
            .build();
    try {
      return client.send(request, BodyHandlers.discarding()).statusCode() == 200;
    } catch (IOException notYet) {
      return false;
    }
  }

  /** As Ctrl-C does. */
  private static void stop(Process running) throws InterruptedException {
    running.destroy();
    if (!running.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
      running.destroyForcibly().waitFor();
      throw new AssertionError("it did not stop");
    }
    assertThat(running.exitValue()).isZero();
  }
}

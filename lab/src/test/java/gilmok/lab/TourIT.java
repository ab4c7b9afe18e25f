package gilmok.lab;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.lab.ShellPage.Command;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * README's lines, the tour's and those of the first webhook, as they stand and in their order, in a
 * folder as a build leaves one. Only the ports are others, as 8080 may be in use here. Every line
 * must succeed, and print what the comment below it says. A server runs in a terminal of its own
 * until the page starts the next one, and so does a partner.
 */
@Tag("process")
final class TourIT {
  private static final Path ROOT = Path.of("..");
  private static final String PORT = "8080";
  private static final String PARTNER_PORT = "4580";
  private static final long PATIENCE_SECONDS = 60;
  private static final Duration LINE_PATIENCE = Duration.ofMinutes(5);

  @TempDir Path folder;

  /** A program that runs until it is stopped; what it says goes to a file. */
  private record Terminal(Command command, Process process, Path said) {}

  private int port;
  private int partnerPort;
  private @Nullable Terminal server;
  private @Nullable Terminal partner;

  @BeforeEach
  void asAfterABuild() throws IOException {
    try (ServerSocket free = new ServerSocket(0);
        ServerSocket other = new ServerSocket(0)) {
      port = free.getLocalPort();
      partnerPort = other.getLocalPort();
    }
    Files.copy(ROOT.resolve("gilmok"), folder.resolve("gilmok"));
    ClassPathJar.write(folder, "server/target/gilmok-all.jar", "gilmok.process.Main");
    ClassPathJar.write(folder, "lab/target/gilmok-lab-all.jar", "gilmok.lab.Lab");
  }

  @AfterEach
  void nothingStays() throws InterruptedException {
    stop(partner);
    stop(server);
  }

  @Test
  void readme_worksAsItStands() throws Exception {
    List<Command> commands = ShellPage.commands(ROOT.resolve("README.md"));
    assertThat(commands).hasSizeGreaterThan(5);
    run(
        commands.stream()
            // This test is a part of it.
            .filter(command -> !command.text().startsWith("./gilmok test"))
            .toList());
  }

  @Test
  void tour_worksAsItStands() throws Exception {
    List<Command> commands = ShellPage.commands(ROOT.resolve("docs/tour.md"));
    assertThat(commands).hasSizeGreaterThan(40);
    run(commands);
  }

  @Test
  void firstWebhook_comesAsRelaySays() throws Exception {
    List<Command> commands = ShellPage.commands(ROOT.resolve("docs/relay.md"));
    assertThat(commands).hasSizeGreaterThan(20);
    assertThat(commands).anyMatch(Command::isServer).anyMatch(Command::isPartner);
    run(commands);
  }

  private void run(List<Command> commands) throws Exception {
    try (BashSession bash = new BashSession(shell("bash"), LINE_PATIENCE)) {
      // An answer of 400 and more is a failure, which curl alone passes over.
      bash.set("curl() { command curl -sS --fail-with-body \"$@\"; }; set -o pipefail");
      for (Command command : commands) {
        if (command.isServer()) {
          stop(server);
          server = null;
          server = started(command, " --port " + port, port);
          continue;
        }
        if (command.isPartner()) {
          hasSaid(partner);
          stop(partner);
          partner = null;
          partner = started(command, "", partnerPort);
          continue;
        }
        if (command.needsFolderAlone()) {
          stop(server);
          server = null;
        }
        check(command, bash.run(text(command)));
      }
      hasSaid(partner);
    }
  }

  private void check(Command command, BashSession.Ended ended) {
    String answer = ended.said().replace(Integer.toString(partnerPort), PARTNER_PORT);
    String what = "line " + command.line() + ": " + command.text() + "\nit said: " + ended.said();
    assertThat(ended.status()).as(what).isEqualTo("0");
    assertThat(answer).as(what).containsPattern(command.expected());
  }

  private String text(Command command) {
    return command
        .text()
        .replace("127.0.0.1:" + PORT, "127.0.0.1:" + port)
        .replace(PARTNER_PORT, Integer.toString(partnerPort));
  }

  private ProcessBuilder shell(String... command) {
    ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
    builder.environment().keySet().removeIf(name -> name.startsWith("GILMOK_"));
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    builder.environment().put("GILMOK_OPTS", "-XX:TieredStopAtLevel=1");
    builder.environment().put("GILMOK_URL", "http://127.0.0.1:" + port);
    return builder;
  }

  private Terminal started(Command command, String more, int listensOn)
      throws IOException, InterruptedException {
    String text = text(command).replaceFirst(" *#.*", "") + more;
    Path said = folder.resolve("said-" + command.line() + ".txt");
    Process process =
        shell("bash", "-c", "exec " + text)
            .redirectErrorStream(true)
            .redirectOutput(said.toFile())
            .start();
    Terminal terminal = new Terminal(command, process, said);
    long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
    try (HttpClient client = HttpClient.newHttpClient()) {
      while (!isReady(client, listensOn)) {
        if (!process.isAlive() || System.nanoTime() > until) {
          stop(terminal);
          throw new AssertionError(text + " is not ready: " + Files.readString(said));
        }
        LockSupport.parkNanos(50_000_000);
      }
    }
    return terminal;
  }

  /** Whether a server is ready, and a partner answers at all. */
  private boolean isReady(HttpClient client, int listensOn) throws InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + listensOn + "/health/ready"))
            .timeout(Duration.ofSeconds(5))
            .build();
    try {
      int status = client.send(request, BodyHandlers.discarding()).statusCode();
      return status == 200 || listensOn == partnerPort;
    } catch (IOException notYet) {
      return false;
    }
  }

  /** Whether it has printed what the comment below its line says. */
  private static void hasSaid(@Nullable Terminal terminal) throws IOException {
    if (terminal != null) {
      Command command = terminal.command();
      assertThat(Files.readString(terminal.said()))
          .as("line %d: %s", command.line(), command.text())
          .containsPattern(command.expected());
    }
  }

  /** As Ctrl-C does. */
  private static void stop(@Nullable Terminal running) throws InterruptedException {
    if (running != null) {
      running.process().destroy();
      if (!running.process().waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        running.process().destroyForcibly().waitFor();
      }
    }
  }
}

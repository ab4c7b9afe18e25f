package gilmok.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code gilmok diagnose}: everything that a running server knows about itself, in one file. */
@Command(
    name = "diagnose",
    description = {
      "Write everything that a running server knows about itself into one ZIP file: its threads"
          + " with virtual ones, a recording of the JVM (open it with JDK Mission Control), garbage"
          + " collection and heap histogram, settings with secrets masked, metrics, ledger, log and"
          + " machine. The server goes on serving. The key needs the scope admin.",
      "",
      "The file has no secret setting, but names of threads, folders and hosts. With --heap it has"
          + " the whole memory, with keys and customers' addresses: give it to nobody."
    },
    footer = {
      "",
      "Examples:",
      "  gilmok diagnose --seconds 5",
      "  gilmok diagnose --seconds 0 now.zip",
      "  gilmok diagnose --seconds 0 --heap heap.zip"
    })
final class DiagnoseCommand extends CliCommand implements Callable<Integer> {
  private static final Duration PATIENCE = Duration.ofMinutes(10);
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("uuuu-MM-dd-HHmmss", Locale.ROOT);

  @Parameters(
      arity = "0..1",
      paramLabel = "FILE",
      description = "The file to write (default: gilmok-diagnosis-TIME.zip).")
  @Nullable Path file;

  @Option(
      names = "--seconds",
      paramLabel = "N",
      defaultValue = "30",
      description = "How long the JVM is recorded; 0 for no recording (default: ${DEFAULT-VALUE}).")
  int seconds;

  @Option(
      names = "--heap",
      description =
          "Add a heap dump. The server stands still while it is made: seconds a gigabyte.")
  boolean hasHeap;

  @Mixin Access access = new Access();

  @Override
  public Integer call() throws InterruptedException {
    String now = LocalDateTime.now(ZoneId.systemDefault()).format(TIME);
    Path wanted = file == null ? Path.of("gilmok-diagnosis-" + now + ".zip") : file;
    if (Files.exists(wanted)) {
      throw new CommandFailure(wanted + " is there already: name another file");
    }
    Target target = access.target();
    Path part = wanted.resolveSibling(wanted.getFileName() + ".part");
    // First, as nobody wants to learn after half a minute that there is no place for the file.
    try (OutputStream out = Files.newOutputStream(part);
        ApiClient api = new ApiClient(target)) {
      err().println("gilmok: asking " + target.base() + "; this takes " + seconds + " s and more");
      fetch(api, out);
    } catch (IOException broken) {
      throw new CommandFailure(
          Files.exists(part)
              ? "the diagnosis broke off (" + broken.getMessage() + "); what came is in " + part
              : part + " cannot be written: name a file in a folder where you may write");
    } finally {
      removeEmpty(part);
    }
    try {
      Files.move(part, wanted, StandardCopyOption.ATOMIC_MOVE);
      out().println("wrote %s, %,d kB".formatted(wanted, Files.size(wanted) / 1000));
      return 0;
    } catch (IOException unmovable) {
      throw new CommandFailure("the diagnosis stays in " + part + ": " + unmovable.getMessage());
    }
  }

  private void fetch(ApiClient api, OutputStream out) throws IOException, InterruptedException {
    Target target = api.target();
    HttpRequest request =
        HttpRequest.newBuilder(
                target.resolve("/v1/diagnose?seconds=" + seconds + "&heap=" + hasHeap))
            .header("X-Api-Key", target.key())
            .timeout(PATIENCE)
            .POST(BodyPublishers.noBody())
            .build();
    HttpResponse<InputStream> answer = api.send(request, BodyHandlers.ofInputStream());
    try (InputStream in = answer.body()) {
      if (answer.statusCode() != 200) {
        throw new CommandFailure(
            target.refusal(answer.statusCode(), ServerProblem.of(in.readAllBytes())));
      }
      in.transferTo(out);
    }
  }

  private static void removeEmpty(Path part) {
    try {
      if (Files.exists(part) && Files.size(part) == 0) {
        Files.delete(part);
      }
    } catch (IOException stays) {
      // An empty file does no harm.
    }
  }
}

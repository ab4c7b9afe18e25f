package gilmok.cli;

import gilmok.collect.json.JsonDocument;
import gilmok.transfer.RecordSum;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code gilmok export}: everything that a server keeps, in files that import takes again. */
@Command(
    name = "export",
    description = {
      "Write what a server keeps into a folder: a file of JSON objects, one a line, for each kind,"
          + " and manifest.json with their numbers and sums. \"gilmok import all DIR\" brings them"
          + " to another server. Keys and partners come with what is secret of them.",
      "",
      "Traces, actions and logs are those that the server's log still has (log.retention); each"
          + " node has its own."
    },
    footer = {
      "",
      "Examples:",
      "  gilmok export --out ours",
      "  gilmok export deliveries statement-entries --out books"
    })
final class ExportCommand extends CliCommand implements Callable<Integer> {
  private static final Duration PATIENCE = Duration.ofMinutes(10);

  private final JsonDocument document = new JsonDocument();

  @Parameters(
      arity = "0..*",
      paramLabel = "KIND",
      description = "What to write (default: everything that the server has).")
  private List<String> kinds = new ArrayList<>();

  @Option(
      names = "--out",
      required = true,
      paramLabel = "DIR",
      description = "The folder, which is made, and may have no export yet.")
  private Path folder = Path.of("");

  @Mixin private Access access = new Access();

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (Files.exists(folder.resolve(ExportManifest.NAME))) {
      throw new CommandFailure(folder + " has an export already; name another folder");
    }
    Target target = access.target();
    try (ApiClient api = new ApiClient(target)) {
      Set<String> there = new TreeSet<>();
      api.ask("GET", "/v1/exports", null)
          .path("items")
          .forEach(one -> there.add(one.path("name").asString("")));
      for (String kind : kinds) {
        if (!there.contains(kind)) {
          throw new CommandFailure(
              "the server has no " + kind + "; it has " + String.join(", ", there));
        }
      }
      Files.createDirectories(folder);
      List<ExportManifest.Entry> entries = new ArrayList<>();
      RetryingSender sender =
          new RetryingSender(
              api.client(),
              target,
              PATIENCE,
              new StoppableWatch(),
              RandomGenerator.getDefault(),
              () -> 0,
              err()::println);
      for (String kind : ImportTargets.ALL) {
        if (there.contains(kind) && (kinds.isEmpty() || kinds.contains(kind))) {
          ExportManifest.Entry entry = export(sender, kind);
          out().printf("%s: %,d records, sum %s%n", kind, entry.records(), text(entry));
          entries.add(entry);
        }
      }
      new ExportManifest(entries).write(folder, target.base().toString(), Instant.now().toString());
      out().println("written to " + folder);
    }
    return 0;
  }

  private static String text(ExportManifest.Entry entry) {
    return RecordSum.text(entry.sum());
  }

  private ExportManifest.Entry export(RetryingSender sender, String kind)
      throws IOException, InterruptedException {
    String name = kind + ".ndjson";
    Path part = folder.resolve(name + ".part");
    RecordSum sum = new RecordSum();
    AtomicLong records = new AtomicLong();
    try (OutputStream out = PrivateOutput.open(part);
        ProgressLine _ =
            new ProgressLine(err(), () -> "%s: %,d records".formatted(kind, records.get()))) {
      String cursor = "";
      while (cursor != null) {
        byte[] page = page(sender, kind, cursor);
        int root = document.read(page, 0, page.length);
        RecordSum ofPage = new RecordSum();
        // Byte for byte: another writer would spell some numbers otherwise.
        for (int one = document.first(document.member(root, "items"));
            one != JsonDocument.NONE;
            one = document.next(one)) {
          int length = document.end(one) - document.start(one);
          ofPage.add(page, document.start(one), length);
          out.write(page, document.start(one), length);
          out.write('\n');
          records.incrementAndGet();
        }
        String told = document.text(document.member(root, "sum"));
        if (!RecordSum.text(ofPage.value()).equals(told)) {
          throw new CommandFailure(
              kind + ": a page is not as the server has written it; export again");
        }
        sum.add(ofPage.value());
        cursor = document.text(document.member(root, "next"));
      }
    }
    Files.move(part, folder.resolve(name), StandardCopyOption.REPLACE_EXISTING);
    return new ExportManifest.Entry(kind, name, records.get(), sum.value());
  }

  private static byte[] page(RetryingSender sender, String kind, String cursor)
      throws InterruptedException {
    String query =
        cursor.isEmpty() ? "" : "?cursor=" + URLEncoder.encode(cursor, StandardCharsets.UTF_8);
    HttpResponse<byte[]> response = sender.get("/v1/exports/" + kind + query);
    if (response == null) {
      throw new CommandFailure("interrupted");
    }
    if (response.statusCode() != 200) {
      throw new CommandFailure(
          sender.target().refusal(response.statusCode(), ServerProblem.of(response.body())));
    }
    return response.body();
  }
}

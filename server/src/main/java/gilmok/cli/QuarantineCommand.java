package gilmok.cli;

import gilmok.phones.PhoneSetup;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** {@code gilmok quarantine}: the records that a running server set aside, and another try. */
@Command(
    name = "quarantine",
    description = "List or replay quarantined records. The key needs the scope operate.",
    footer = {
      "",
      "Examples:",
      "  gilmok quarantine ls",
      "  gilmok quarantine replay --stream traces"
    })
final class QuarantineCommand extends CliCommand implements Runnable {
  private static final String PATH = "/v1/quarantine-replays";
  private static final String CLEAR = "\r\u001b[K";
  private static final long EVERY_MILLIS = 200;

  @Override
  public void run() {
    throw verbMissing();
  }

  @Command(
      name = "ls",
      description = "List the quarantined records, the oldest first, one JSON object a line.",
      footer = {"", "Examples:", "  gilmok quarantine ls", "  gilmok quarantine ls --sink files"})
  void list(
      @Option(
              names = "--sink",
              paramLabel = "SINK",
              description = "Only records that this sink refused.")
          @Nullable String sink,
      @Option(
              names = "--stream",
              paramLabel = "STREAM",
              description = "Only records that were meant for this stream.")
          @Nullable String stream,
      @Mixin Access access)
      throws InterruptedException {
    String filter = parameter("sink", sink) + parameter("stream", stream);
    try (ApiClient server = new ApiClient(access.target())) {
      JsonNode page = server.ask("GET", "/v1/quarantine?limit=1000" + filter, null);
      page.path("items").forEach(out()::println);
      while (page.hasNonNull("next") && !out().checkError()) {
        String cursor = parameter("cursor", page.path("next").asString(""));
        page = server.ask("GET", "/v1/quarantine?limit=1000" + filter + cursor, null);
        page.path("items").forEach(out()::println);
      }
    }
  }

  private static String parameter(String name, @Nullable String value) {
    return value == null ? "" : "&" + name + "=" + PhoneSetup.encoded(value);
  }

  @Command(
      name = "replay",
      description =
          "Collect invalid records again, and send again those that sinks refused: all, or those"
              + " that the options name. Records refused again stay in quarantine, and settled ones"
              + " are skipped.",
      footer = {
        "",
        "Examples:",
        "  gilmok quarantine replay --sink files --reason full",
        "  gilmok quarantine replay --stream traces --from 2026-11-21T09:00:00Z"
      })
  int replay(
      @Option(
              names = "--sink",
              paramLabel = "SINK",
              description = "Only records that this sink refused.")
          @Nullable String sink,
      @Option(
              names = "--stream",
              paramLabel = "STREAM",
              description = "Only records that were meant for this stream.")
          @Nullable String stream,
      @Option(
              names = "--reason",
              paramLabel = "TEXT",
              description = "Only records whose reason contains this.")
          @Nullable String reason,
      @Option(
              names = "--from",
              paramLabel = "TIME",
              description = "Only records quarantined at that time or later.")
          @Nullable String from,
      @Option(names = "--to", paramLabel = "TIME", description = "Only records quarantined before.")
          @Nullable String to,
      @Mixin Access access)
      throws InterruptedException {
    ObjectNode body = JsonMapper.shared().createObjectNode();
    ApiClient.put(body, "sink", sink);
    ApiClient.put(body, "stream", stream);
    ApiClient.put(body, "reason", reason);
    ApiClient.put(body, "from", from);
    ApiClient.put(body, "to", to);
    JsonNode job;
    try (ApiClient server = new ApiClient(access.target())) {
      job = server.ask("POST", PATH, body);
      String path = PATH + "/" + PhoneSetup.encoded(job.path("id").asString(""));
      boolean isWatched = Terminal.isThere();
      while (!job.path("done").asBoolean(false)) {
        if (isWatched) {
          err().print(CLEAR + line(job));
          err().flush();
        }
        TimeUnit.MILLISECONDS.sleep(EVERY_MILLIS);
        job = server.ask("GET", path, null);
      }
      if (isWatched) {
        err().print(CLEAR);
        err().flush();
      }
    }
    out().println(line(job));
    if (job.hasNonNull("error")) {
      throw new CommandFailure("the replay ended early: " + job.path("error").asString(""));
    }
    return job.path("failed").asLong(0) == 0 ? 0 : 1;
  }

  private static String line(JsonNode job) {
    long last = job.path("last").asLong(0);
    long percent = last == 0 ? 100 : 100 * job.path("sequence").asLong(0) / last;
    long missing = job.path("receiptsMissing").asLong(0);
    return String.join(
        ", ",
        List.of(
            "%d %% of the log read".formatted(percent),
            "%,d found".formatted(job.path("found").asLong(0)),
            "%,d replayed".formatted(job.path("replayed").asLong(0)),
            "%,d refused again".formatted(job.path("failed").asLong(0) - missing),
            "%,d without a receipt any more".formatted(missing),
            "%,d settled before".formatted(job.path("settledBefore").asLong(0)),
            "%,d in flight".formatted(job.path("pending").asLong(0))));
  }
}

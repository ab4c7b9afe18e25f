package gilmok.cli;

import gilmok.phones.PhoneSetup;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** {@code gilmok sink}: shows and controls the sinks of a running server. */
@Command(
    name = "sink",
    description =
        "List the sinks of a running server; pause, resume, tune and rewind them. The key needs the"
            + " scope operate.",
    footer = {
      "",
      "Examples:",
      "  gilmok sink ls",
      "  gilmok sink pause files",
      "  gilmok sink rewind files --to 2026-11-21T09:00:00Z",
      "  gilmok sink resume files"
    })
final class SinkCommand extends CliCommand implements Runnable {
  private static final String PATH = "/v1/sinks";

  @Override
  public void run() {
    throw verbMissing();
  }

  /** The argument with the sink's name. */
  static final class Named {
    @Parameters(
        paramLabel = "SINK",
        description = "The sink's name, as \"gilmok sink ls\" shows it.")
    String name = "";

    String path() {
      return PATH + "/" + PhoneSetup.encoded(name);
    }
  }

  /** The options with the place to rewind to. */
  static final class To {
    @Option(
        names = "--to",
        paramLabel = "TIME",
        description = "Records received from this time on, such as 2026-11-21T09:00:00Z.")
    @Nullable String time;

    @Option(
        names = "--to-sequence",
        paramLabel = "N",
        description = "This record and all later ones.")
    @Nullable Long sequence;
  }

  @Command(
      name = "ls",
      description = "List the sinks, with state, progress and fault.",
      footer = {"", "Examples:", "  gilmok sink ls", "  gilmok sink ls --json"})
  void list(
      @Option(names = "--json", description = "Print the server's answer as JSON.") boolean isJson,
      @Mixin Access access)
      throws InterruptedException {
    try (ApiClient server = new ApiClient(access.target())) {
      JsonNode answer = server.ask("GET", PATH, null);
      if (isJson) {
        out().println(answer);
      } else {
        print(answer.path("items").valueStream().toList());
      }
    }
  }

  @Command(
      name = "show",
      description = "Show one sink with its settings and their limits, as JSON.",
      footer = {"", "Examples:", "  gilmok sink show files"})
  void show(@Mixin Named sink, @Mixin Access access) throws InterruptedException {
    try (ApiClient server = new ApiClient(access.target())) {
      out().println(server.ask("GET", sink.path(), null).toPrettyString());
    }
  }

  @Command(
      name = "pause",
      description =
          "Pause a sink until it is resumed, also after a restart; its records wait in the log.",
      footer = {"", "Examples:", "  gilmok sink pause files"})
  void pause(@Mixin Named sink, @Mixin Access access) throws InterruptedException {
    tell(access, "POST", sink.path() + "/pause", null);
  }

  @Command(
      name = "resume",
      description = "Resume a paused sink where it stopped.",
      footer = {"", "Examples:", "  gilmok sink resume files"})
  void resume(@Mixin Named sink, @Mixin Access access) throws InterruptedException {
    tell(access, "POST", sink.path() + "/resume", null);
  }

  @Command(
      name = "rewind",
      description =
          "Send again all records from a time or a sequence on that the log still has. The sink's"
              + " account in the ledger restarts there. Readers drop repeats by the dedup key.",
      footer = {
        "",
        "Examples:",
        "  gilmok sink rewind files --to 2026-11-21T09:00:00Z",
        "  gilmok sink rewind files --to-sequence 1"
      })
  void rewind(@Mixin Named sink, @ArgGroup(multiplicity = "1") To to, @Mixin Access access)
      throws InterruptedException {
    ObjectNode body = JsonMapper.shared().createObjectNode();
    ApiClient.put(body, "time", to.time);
    ApiClient.put(body, "sequence", to.sequence);
    tell(access, "POST", sink.path() + "/rewind", body);
  }

  @Command(
      name = "tune",
      description =
          "Change a sink's batches until the server's next start. What is not given stays as it is."
              + " To keep the change, set sinks.<sink>.* as well.",
      footer = {
        "",
        "Examples:",
        "  gilmok sink tune files --batch-age 1s",
        "  gilmok sink tune files --batch-records 1000 --batch-bytes 1000000"
      })
  void tune(
      @Mixin Named sink,
      @Option(names = "--batch-records", paramLabel = "N", description = "Most records of a batch.")
          @Nullable Integer records,
      @Option(names = "--batch-bytes", paramLabel = "N", description = "Most bytes of a batch.")
          @Nullable Long bytes,
      @Option(
              names = "--batch-age",
              paramLabel = "SPAN",
              converter = DurationOption.class,
              description = "The longest wait of a batch, such as 100ms.")
          @Nullable Duration age,
      @Option(
              names = "--max-concurrency",
              paramLabel = "N",
              description = "Most batches in flight; 1 where the order is kept.")
          @Nullable Integer concurrency,
      @Mixin Access access)
      throws InterruptedException {
    ObjectNode body = JsonMapper.shared().createObjectNode();
    ApiClient.put(body, "batchRecordsMax", records);
    ApiClient.put(body, "batchBytesMax", bytes);
    ApiClient.put(body, "batchAgeMaxMillis", age == null ? null : age.toMillis());
    ApiClient.put(body, "maxConcurrency", concurrency);
    if (body.isEmpty()) {
      throw wronglyAsked("tune", "Say what to tune, as in --batch-age 1s");
    }
    tell(access, "PUT", sink.path(), body);
  }

  @Command(
      name = "forget",
      description =
          "Forget a sink that the settings no longer name: the log then keeps no records for it, and"
              + " those that were not sent to it never are.",
      footer = {"", "Examples:", "  gilmok sink forget redis"})
  void forget(@Mixin Named sink, @Mixin Access access) throws InterruptedException {
    try (ApiClient server = new ApiClient(access.target())) {
      server.ask("DELETE", sink.path(), null);
      out().println("forgot " + sink.name);
    }
  }

  private void tell(Access access, String method, String path, @Nullable JsonNode body)
      throws InterruptedException {
    try (ApiClient server = new ApiClient(access.target())) {
      print(List.of(server.ask(method, path, body)));
    }
  }

  private void print(List<JsonNode> sinks) {
    if (sinks.isEmpty()) {
      out().println("there is no sink: name some in the setting sinks.enabled");
      return;
    }
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("SINK", "STATE", "WAITING", "LAG", "IN FLIGHT", "SETTLED UP TO", "STREAMS"));
    for (JsonNode sink : sinks) {
      List<String> streams = new ArrayList<>();
      sink.path("streams").forEach(stream -> streams.add(stream.asString("")));
      List<String> row =
          Table.cells(sink, "name", "state", "waiting", "lagSeconds", "inFlight", "sequence");
      row.set(3, row.get(3) + " s");
      row.add(streams.isEmpty() ? "-" : String.join(",", streams));
      rows.add(row);
    }
    Table.lines(rows).forEach(out()::println);
    for (JsonNode sink : sinks) {
      hint(sink);
    }
  }

  private void hint(JsonNode sink) {
    String name = sink.path("name").asString("");
    if (sink.hasNonNull("fault")) {
      out()
          .printf(
              "%s: %s (%s)%n",
              name, sink.path("fault").asString(""), sink.path("faultAt").asString(""));
    }
    switch (sink.path("state").asString("")) {
      case "detached" ->
          out().println(name + ": missed records while the log was full; \"gilmok ledger\" counts");
      case "broken" -> out().println(name + ": nothing arrives there; it is tried again by itself");
      case "unconfigured" ->
          out()
              .println(
                  name
                      + ": no setting names it, and the log keeps records for it;"
                      + " \"gilmok sink forget\" releases them");
      default -> {}
    }
  }
}

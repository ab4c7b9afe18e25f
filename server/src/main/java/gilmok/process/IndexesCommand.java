package gilmok.process;

import gilmok.app.Documents;
import gilmok.app.ServerConfig;
import gilmok.cli.CliCommand;
import gilmok.cli.CommandFailure;
import gilmok.cli.SettingsOptions;
import gilmok.config.Settings;
import gilmok.documents.MongoConfig;
import gilmok.documents.MongoDocuments;
import gilmok.documents.MongoIndexes;
import gilmok.observe.Meters;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code gilmok indexes}: the indexes that the documents need in MongoDB. */
@Command(
    name = "indexes",
    synopsisSubcommandLabel = "[ls|show|create]",
    description = {
      "List the indexes that MongoDB lacks for the documents, show the commands that make them, or"
          + " create them. Creating one reads a whole collection: for a large one, do it in a quiet"
          + " hour, and before you start the version of Gilmok that needs it. Without a command, it"
          + " lists them.",
      "",
      "Exit code: 0 if all exist, or were shown or created; 1 if one is missing, or differs."
    },
    footer = {
      "",
      "Examples:",
      "  gilmok indexes ls --config gilmok.yaml",
      "  gilmok indexes show --config gilmok.yaml >indexes.js",
      "  gilmok indexes create --config gilmok.yaml"
    })
final class IndexesCommand extends CliCommand implements Callable<Integer> {
  private static final Duration LOOKS = Duration.ofSeconds(2);

  @Option(names = "--print", hidden = true, description = "As show does.")
  private boolean isPrint;

  @Option(names = "--create", hidden = true, description = "As create does.")
  private boolean isCreate;

  @Mixin private SettingsOptions options = new SettingsOptions();

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (isPrint && isCreate) {
      throw wronglyAsked("--print or --create, not both");
    }
    return isPrint ? show(options) : isCreate ? create(options) : list(options);
  }

  @Command(
      name = "ls",
      description = {
        "List the indexes that are missing, or differ.",
        "",
        "Exit code: 0 if there are none, else 1."
      },
      footer = {"", "Examples:", "  gilmok indexes ls --config gilmok.yaml"})
  int list(@Mixin SettingsOptions settings) throws IOException, InterruptedException {
    return look(config(settings), MongoConfig.IndexMode.CHECK);
  }

  @Command(
      name = "show",
      description =
          "Show MongoDB's commands that create all indexes, for mongosh. No database is asked.",
      footer = {"", "Examples:", "  gilmok indexes show --config gilmok.yaml >indexes.js"})
  int show(@Mixin SettingsOptions settings) throws IOException {
    MongoIndexes.commands(config(settings).databaseName(), Documents.InMongo.wantedIndexes())
        .forEach(out()::println);
    return 0;
  }

  @Command(
      name = "create",
      description = "Create the missing indexes, and show the progress.",
      footer = {"", "Examples:", "  gilmok indexes create --config gilmok.yaml"})
  int create(@Mixin SettingsOptions settings) throws IOException, InterruptedException {
    return look(config(settings), MongoConfig.IndexMode.CREATE);
  }

  private static MongoConfig config(SettingsOptions settings) throws IOException {
    return ServerConfig.from(new Settings(settings.sources())).of(MongoConfig.class);
  }

  private int look(MongoConfig config, MongoConfig.IndexMode mode)
      throws IOException, InterruptedException {
    if (config.uri() == null) {
      out().println("documents.mongo-uri is not set: SQLite's indexes are made by the server");
      return 0;
    }
    try {
      return look(config, mode, out());
    } catch (IOException unusable) {
      throw new CommandFailure(String.valueOf(unusable.getMessage()));
    }
  }

  private static int look(MongoConfig config, MongoConfig.IndexMode mode, PrintWriter out)
      throws IOException, InterruptedException {
    try (Meters meters = new Meters();
        MongoDocuments documents = new MongoDocuments(config, meters)) {
      MongoIndexes indexes = new MongoIndexes(documents, mode, Documents.InMongo.wantedIndexes());
      List<String> lines = indexes.look();
      while (indexes.isMaking()) {
        lines.forEach(out::println);
        out.flush();
        indexes.awaitMaking(LOOKS);
        lines = indexes.look();
      }
      lines.forEach(out::println);
      if (lines.isEmpty()) {
        out.println("all indexes are there");
      }
      return lines.isEmpty() ? 0 : 1;
    }
  }
}

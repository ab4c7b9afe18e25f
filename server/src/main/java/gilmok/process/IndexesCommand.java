package gilmok.process;

import gilmok.app.Documents;
import gilmok.app.ServerConfig;
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
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code gilmok indexes}: the indexes that the documents need in MongoDB. */
@Command(
    name = "indexes",
    mixinStandardHelpOptions = true,
    description = {
      "List the indexes that MongoDB lacks for the documents; print commands that make them, or",
      "make them. Making one reads a whole collection: for a large one, do it in a quiet hour",
      "and before you start the version of Gilmok that needs it.",
      "Exit code 0: all exist (or were printed, or made); 1: one is missing, or differs."
    },
    footer = {
      "",
      "Examples:",
      "  gilmok indexes --config gilmok.yaml",
      "  gilmok indexes --config gilmok.yaml --print | mongosh mongodb://admin@db.example/",
      "  gilmok indexes --config gilmok.yaml --create"
    })
final class IndexesCommand implements Callable<Integer> {
  private static final Duration LOOKS = Duration.ofSeconds(2);

  @Spec private @Nullable CommandSpec spec;
  @Mixin private SettingsOptions options = new SettingsOptions();

  @Option(
      names = "--print",
      description =
          "Print MongoDB's commands that make all of them; does not connect to a database.")
  private boolean isPrint;

  @Option(names = "--create", description = "Make the missing ones, and show the progress.")
  private boolean isCreate;

  @Override
  public Integer call() throws IOException, InterruptedException {
    MongoConfig config = ServerConfig.from(new Settings(options.sources())).of(MongoConfig.class);
    PrintWriter out = Objects.requireNonNull(spec).commandLine().getOut();
    if (isPrint && isCreate) {
      throw new ParameterException(
          Objects.requireNonNull(spec).commandLine(), "--print or --create, not both");
    }
    if (isPrint) {
      MongoIndexes.commands(config.databaseName(), Documents.InMongo.wantedIndexes())
          .forEach(out::println);
      return 0;
    }
    if (config.uri() == null) {
      out.println("documents.mongo-uri is not set: SQLite's indexes are made by the server");
      return 0;
    }
    try {
      return look(config, out);
    } catch (IOException unusable) {
      throw new CommandFailure(String.valueOf(unusable.getMessage()));
    }
  }

  private int look(MongoConfig config, PrintWriter out) throws IOException, InterruptedException {
    MongoConfig.IndexMode mode =
        isCreate ? MongoConfig.IndexMode.CREATE : MongoConfig.IndexMode.CHECK;
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

package gilmok.doctor;

import gilmok.app.ServerConfig;
import gilmok.cli.CliCommand;
import gilmok.cli.CommandFailure;
import gilmok.cli.SettingsOptions;
import gilmok.cli.Table;
import gilmok.config.Settings;
import gilmok.documents.MongoConfig;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code gilmok doctor}: shows how the database answers the documents' queries. It only reads. */
@Command(
    name = "doctor",
    description = {
      "Show how the database executes every query of the documents, and whether an index that it"
          + " needs is missing. It only reads, and a server may be running.",
      "",
      "Exit code: 0 if all is well; 1 if a query reads a whole table but should not, or an index or"
          + " a table is missing."
    },
    footer = {
      "",
      "Examples:",
      "  gilmok doctor",
      "  gilmok doctor --data data",
      "  gilmok doctor --config gilmok.yaml"
    })
public final class DoctorCommand extends CliCommand implements Callable<Integer> {
  @Mixin private SettingsOptions options = new SettingsOptions();

  @Override
  public Integer call() throws IOException, InterruptedException {
    ServerConfig config = ServerConfig.from(new Settings(options.sources()));
    boolean isMongo = config.of(MongoConfig.class).uri() != null;
    try {
      return say(
          isMongo
              ? MongoDoctor.look(config.of(MongoConfig.class))
              : SqliteDoctor.look(config.data()));
    } catch (IOException unusable) {
      throw new CommandFailure(String.valueOf(unusable.getMessage()));
    }
  }

  private int say(DoctorReport found) {
    PrintWriter out = out();
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("QUERY", "PLAN", "VERDICT"));
    rows.addAll(found.rows());
    Table.lines(rows).forEach(out::println);
    out.println();
    found.faults().forEach(out::println);
    out.println(
        found.bad() == 0
            ? "%d queries, none of them reads a table that it should not".formatted(found.queries())
            : "%d of %d queries read a whole table, or cannot be answered"
                .formatted(found.bad(), found.queries()));
    return found.bad() == 0 && found.faults().isEmpty() ? 0 : 1;
  }
}

package gilmok.doctor;

import gilmok.app.ServerConfig;
import gilmok.cli.CliCommand;
import gilmok.cli.CommandFailure;
import gilmok.cli.SettingsOptions;
import gilmok.cli.Table;
import gilmok.config.Settings;
import gilmok.documents.MongoConfig;
import gilmok.http.HttpConfig;
import gilmok.observe.Cgroup;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/**
 * {@code gilmok doctor}: what may bring a server down from outside, and how the database answers
 * the documents' queries.
 */
@Command(
    name = "doctor",
    description = {
      "Look for what brings a server down from outside: file handles, threads, backlog, swap, clock,"
          + " processors and memory as the container has them, disk. Each finding says what to do."
          + " Then show how the database executes every query of the documents, and whether an index"
          + " that it needs is missing. A server may be running. Run it where the server runs, as its"
          + " user. To learn how fast the disk is, it writes one small file beside the data, and"
          + " deletes it.",
      "",
      "Exit code: 0 if the database is well; 1 if a query reads a whole table but should not, or an"
          + " index or a table is missing. What the machine lacks does not change it."
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
    say(
        new MachineDoctor(
                Path.of("/"),
                config.data(),
                config.of(HttpConfig.class).limits().connectionsMax(),
                Cgroup.ofThisProcess())
            .look());
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

  private void say(List<MachineDoctor.Check> checks) {
    PrintWriter out = out();
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("MACHINE", "FOUND", "VERDICT"));
    checks.forEach(
        check ->
            rows.add(
                List.of(check.what(), check.seen(), check.advice().isEmpty() ? "well" : "look")));
    Table.lines(rows).forEach(out::println);
    out.println();
    for (MachineDoctor.Check check : checks) {
      if (!check.advice().isEmpty()) {
        out.println(check.what() + ": " + check.advice());
      }
    }
    out.println();
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

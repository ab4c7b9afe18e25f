package gilmok.doctor;

import com.sun.management.HotSpotDiagnosticMXBean;
import gilmok.app.ServerConfig;
import gilmok.cli.CliCommand;
import gilmok.cli.CommandFailure;
import gilmok.cli.SettingsOptions;
import gilmok.cli.Table;
import gilmok.config.Settings;
import gilmok.documents.MongoConfig;
import gilmok.http.HttpConfig;
import gilmok.redis.RedisConfig;
import gilmok.runtime.Version;
import java.io.IOException;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
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
          + " processors and memory as the container has them and asked for them, disk,"
          + " certificates, and the connections that MongoDB and Redis allow. Each finding says what"
          + " to do."
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
    Settings settings = new Settings(options.sources());
    ServerConfig config = ServerConfig.from(settings);
    say("MACHINE", machine(config, settings.effective().getOrDefault("relay.ca", "")));
    RedisConfig redis = config.sinks().redis();
    if (redis.url() != null) {
      say("REDIS", RedisDoctor.look(redis));
    }
    boolean isMongo = config.of(MongoConfig.class).uri() != null;
    try {
      DoctorReport report =
          isMongo
              ? MongoDoctor.look(config.of(MongoConfig.class))
              : SqliteDoctor.look(config.data());
      if (isMongo) {
        say("MONGODB", report.server());
      }
      return say(report);
    } catch (IOException unusable) {
      String next = isMongo ? "; start it, or correct documents.mongo-uri" : "";
      throw new CommandFailure(unusable.getMessage() + next);
    }
  }

  /** Looks at the machine, as the settings of the server that it is for. */
  public static List<Check> machine(ServerConfig config, String relayCa) {
    Path root = Path.of("/");
    Instant now = Instant.now();
    int connectionsMax = config.of(HttpConfig.class).limits().connectionsMax();
    return Stream.of(
            new MachineDoctor(root, config.data(), connectionsMax).look(),
            new MemoryDoctor(root, System.getenv(), MemoryDoctor.beside(config), ownHeap()).look(),
            new ClockDoctor(config.data(), now, Version.built(), KernelClock.state()).look(),
            CertificateDoctor.look(config, relayCa, now))
        .flatMap(List::stream)
        .toList();
  }

  /** As it was set: what the collector can use of it may be less. */
  private static long ownHeap() {
    String size =
        ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
            .getVMOption("MaxHeapSize")
            .getValue();
    return Long.parseLong(size);
  }

  private void say(String title, List<Check> checks) {
    CheckTable.lines(title, checks, verdict -> verdict).forEach(out()::println);
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

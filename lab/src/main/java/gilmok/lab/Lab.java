package gilmok.lab;

import gilmok.cli.Commands;
import gilmok.lab.advisories.AdvisoriesCommand;
import gilmok.lab.bare.BareCommand;
import gilmok.lab.capacity.CapacityCommand;
import gilmok.lab.capacity.CompareRunsCommand;
import gilmok.lab.cost.CostCommand;
import gilmok.lab.crash.CrashCommand;
import gilmok.lab.dashboards.DashboardsCommand;
import gilmok.lab.data.DataCommand;
import gilmok.lab.day.DayCommand;
import gilmok.lab.deliveries.ChartCommand;
import gilmok.lab.deliveries.DeliveriesCommand;
import gilmok.lab.disk.DiskCommand;
import gilmok.lab.firehose.FirehoseCommand;
import gilmok.lab.firehose.Share;
import gilmok.lab.fleet.DemoCommand;
import gilmok.lab.fleet.FleetCommand;
import gilmok.lab.history.HistoryFilesCommand;
import gilmok.lab.link.SlowLinkCommand;
import gilmok.lab.load.LoadCommand;
import gilmok.lab.missions.MissionsCommand;
import gilmok.lab.missions.MissionsWayCommand;
import gilmok.lab.options.Span;
import gilmok.lab.partner.PartnerCommand;
import gilmok.lab.plan.ApartCommand;
import gilmok.lab.plan.PlanCommand;
import gilmok.lab.positions.NearCommand;
import gilmok.lab.positions.StreamsCommand;
import gilmok.lab.rollback.RollbackCommand;
import gilmok.lab.sinks.OneByOneCommand;
import gilmok.lab.sinks.ShipLoopCommand;
import gilmok.lab.sinks.ShipReportCommand;
import gilmok.lab.start.StartCommand;
import gilmok.lab.statements.MongoReplayCommand;
import gilmok.lab.statements.StatementsCommand;
import gilmok.lab.story.StoryCommand;
import gilmok.lab.story.StoryServerCommand;
import gilmok.lab.torture.TortureCommand;
import gilmok.process.Main;
import gilmok.runtime.Signals;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command line of the laboratory: load generators, baselines and fault injection. */
@Command(
    name = Lab.NAME,
    description =
        "Gilmok's laboratory: load generators, baselines, capacity, faults, simulated fleets.",
    footer = {
      "",
      "Examples:",
      "  gilmok lab disk --seconds 2",
      "  gilmok lab torture --minutes 10"
    },
    subcommands = {
      LoadCommand.class,
      AdvisoriesCommand.class,
      BareCommand.class,
      ChartCommand.class,
      CostCommand.class,
      CrashCommand.class,
      DashboardsCommand.class,
      DataCommand.class,
      DayCommand.class,
      DeliveriesCommand.class,
      DiskCommand.class,
      FirehoseCommand.class,
      FleetCommand.class,
      Fuzz.class,
      HistoryFilesCommand.class,
      MissionsCommand.class,
      MissionsWayCommand.class,
      MongoReplayCommand.class,
      NearCommand.class,
      OneByOneCommand.class,
      PartnerCommand.class,
      PlanCommand.class,
      ApartCommand.class,
      RollbackCommand.class,
      ShipReportCommand.class,
      ShipLoopCommand.class,
      SlowLinkCommand.class,
      StartCommand.class,
      StatementsCommand.class,
      StoryCommand.class,
      StoryServerCommand.class,
      StreamsCommand.class,
      TortureCommand.class
    })
public final class Lab implements Runnable {
  static final String NAME = "lab";

  /** Commands beside {@code lab}, not below it. */
  private static final List<String> OWN = List.of("demo", "capacity", "compare-runs", "completion");

  @Spec private @Nullable CommandSpec spec;

  private Lab() {}

  /** Runs a command of the lab, or one beside it. */
  public static void main(String[] arguments) {
    List<String> all = new ArrayList<>(List.of(arguments));
    if (all.isEmpty() || !OWN.contains(all.getFirst())) {
      all.addFirst(NAME);
    }
    System.exit(Commands.run(all.toArray(String[]::new), commands()));
  }

  /** The commands of both programs. */
  public static Object[] commands() {
    CommandLine lab =
        new CommandLine(new Lab())
            .registerConverter(Share.class, Share::read)
            .registerConverter(Span.class, Span::read);
    List<Object> all = new ArrayList<>(List.of(Main.commands(new Signals())));
    all.add(new DemoCommand());
    all.add(new CommandLine(new CapacityCommand()).registerConverter(Span.class, Span::read));
    all.add(new CompareRunsCommand());
    all.add(lab);
    return all.toArray();
  }

  @Override
  public void run() {
    throw new ParameterException(
        Objects.requireNonNull(spec).commandLine(), "Say which command; --help lists them");
  }
}

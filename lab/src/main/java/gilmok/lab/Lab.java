package gilmok.lab;

import gilmok.lab.bare.BareCommand;
import gilmok.lab.capacity.CapacityCommand;
import gilmok.lab.crash.CrashCommand;
import gilmok.lab.day.DayCommand;
import gilmok.lab.deliveries.ChartCommand;
import gilmok.lab.deliveries.ScenarioCommand;
import gilmok.lab.disk.DiskCommand;
import gilmok.lab.firehose.FirehoseCommand;
import gilmok.lab.firehose.Share;
import gilmok.lab.firehose.Span;
import gilmok.lab.fleet.DemoCommand;
import gilmok.lab.fleet.FleetCommand;
import gilmok.lab.link.SlowLinkCommand;
import gilmok.lab.load.LoadCommand;
import gilmok.lab.missions.MissionsCommand;
import gilmok.lab.missions.MissionsWayCommand;
import gilmok.lab.partner.PartnerCommand;
import gilmok.lab.plan.ApartCommand;
import gilmok.lab.plan.PlanCommand;
import gilmok.lab.positions.NearCommand;
import gilmok.lab.positions.StreamsCommand;
import gilmok.lab.sinks.OneByOneCommand;
import gilmok.lab.sinks.ShipLoopCommand;
import gilmok.lab.sinks.ShipReportCommand;
import gilmok.lab.start.StartCommand;
import gilmok.lab.statements.MongoReplayCommand;
import gilmok.lab.statements.StatementsCommand;
import gilmok.lab.torture.TortureCommand;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ScopeType;

/** The command line of the laboratory: load generators, baselines and fault injection. */
@Command(
    name = "lab",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    scope = ScopeType.INHERIT,
    description = "Gilmok's laboratory: load, baselines, capacity, crashes, fleets.",
    subcommands = {
      LoadCommand.class,
      BareCommand.class,
      CapacityCommand.class,
      ChartCommand.class,
      CrashCommand.class,
      DayCommand.class,
      DemoCommand.class,
      ScenarioCommand.class,
      DiskCommand.class,
      FirehoseCommand.class,
      FleetCommand.class,
      Fuzz.class,
      MissionsCommand.class,
      MissionsWayCommand.class,
      MongoReplayCommand.class,
      NearCommand.class,
      OneByOneCommand.class,
      PartnerCommand.class,
      PlanCommand.class,
      ApartCommand.class,
      ShipReportCommand.class,
      ShipLoopCommand.class,
      SlowLinkCommand.class,
      StartCommand.class,
      StatementsCommand.class,
      StreamsCommand.class,
      TortureCommand.class
    })
public final class Lab {
  private Lab() {}

  public static void main(String[] arguments) {
    CommandLine line =
        new CommandLine(new Lab())
            .registerConverter(Share.class, Share::read)
            .registerConverter(Span.class, Span::read);
    if (arguments.length == 0) {
      line.usage(System.err);
      System.exit(2);
    }
    System.exit(line.execute(arguments));
  }
}

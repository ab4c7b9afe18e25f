package gilmok.app;

import gilmok.deliveries.DeliveryStore;
import gilmok.http.Offloads;
import gilmok.observe.Meters;
import gilmok.positions.Positions;
import gilmok.runsheet.RunSheets;
import gilmok.sinks.LowPriority;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/** Starts run sheets: anybody's, and, where this server knows enough, those of its riders. */
final class RunSheetModule {
  private RunSheetModule() {}

  /**
   * What they need of the server.
   *
   * @param positions knows where riders are; null where that part is left off
   */
  record Means(
      DeliveryStore deliveries,
      @Nullable Positions positions,
      Meters meters,
      Offloads offloads,
      InstantSource clock) {}

  /**
   * Starts the planners; does not wait for them.
   *
   * @param lender whose planners plan; null: its own
   */
  static RunSheets start(ServerConfig config, Means means, @Nullable RunSheets lender) {
    Positions positions = means.positions;
    RiderWork riders =
        positions != null && config.has(Part.DELIVERIES)
            ? new RiderWork(new LatestFix(positions::event), means.deliveries)
            : null;
    RunSheets.Means all =
        new RunSheets.Means(
            means.meters,
            means.offloads,
            means.clock,
            PlannerCommand.solver(),
            PlannerCommand.line(config.runSheets()),
            LowPriority.threads("planner"),
            riders,
            riders);
    return lender == null
        ? RunSheets.start(config.runSheets(), all)
        : lender.beside(config.runSheets(), all);
  }
}

package gilmok.app;

import gilmok.config.Part;
import gilmok.log.Log;
import gilmok.positions.Positions;
import gilmok.positions.PositionsConfig;
import gilmok.positions.PositionsMeters;
import gilmok.positions.PositionsRoutes;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Starts the latest positions of riders. */
final class PositionsModule {
  private PositionsModule() {}

  /** Starts following the log; null if this part is switched off. */
  static @Nullable Positions start(ServerContext context) throws IOException, InterruptedException {
    Log log = context.node.log();
    if (!context.config.has(Part.POSITIONS)) {
      Positions.leftOff(log);
      return null;
    }
    Positions positions =
        new Positions(
            context.config.of(PositionsConfig.class),
            log,
            context.folder.path(),
            context.clock,
            new PositionsMeters(context.meters),
            context.loops,
            context.keys::isStillGood);
    positions.watch(context.meters);
    positions.start();
    context.ends(positions);
    PositionsRoutes routes = new PositionsRoutes(positions);
    context.warmables.add(routes);
    context.answers(routes.routes());
    return positions;
  }
}

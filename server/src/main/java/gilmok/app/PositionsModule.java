package gilmok.app;

import gilmok.config.Part;
import gilmok.log.Log;
import gilmok.positions.Positions;
import gilmok.positions.PositionsConfig;
import gilmok.positions.PositionsMeters;
import gilmok.positions.PositionsRoutes;
import gilmok.positions.fleet.FleetFollower;
import gilmok.redis.Redis;
import gilmok.sinks.redis.RedisSinkConfig;
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
    follow(context, positions);
    positions.start();
    context.ends(positions);
    PositionsRoutes routes = new PositionsRoutes(positions);
    context.warmables.add(routes);
    context.answers(routes.routes());
    return positions;
  }

  /** Starts following the other nodes, where settings say so. */
  private static void follow(ServerContext context, Positions positions) {
    PositionsConfig config = context.config.of(PositionsConfig.class);
    RedisSinkConfig sink = context.config.sinks().redisSink();
    Redis redis = context.redis;
    if (config.isFollowing() && sink != null && redis != null) {
      FleetFollower follower =
          FleetFollower.ofRedis(
              redis,
              context.node.log().node().toString(),
              sink.buckets(),
              config,
              positions::take,
              new FleetFollower.Surroundings(
                  context.meters, context.readiness, context.loops, context.clock));
      context.ends(follower);
      follower.start();
    }
  }
}

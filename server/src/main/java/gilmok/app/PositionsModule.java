package gilmok.app;

import gilmok.config.Part;
import gilmok.erasure.Erasable;
import gilmok.log.Log;
import gilmok.positions.HiddenRiders;
import gilmok.positions.Positions;
import gilmok.positions.PositionsConfig;
import gilmok.positions.PositionsMeters;
import gilmok.positions.PositionsRoutes;
import gilmok.positions.fleet.FleetFollower;
import gilmok.positions.fleet.FleetRecords;
import gilmok.positions.fleet.FleetSource;
import gilmok.positions.fleet.RedisFleet;
import gilmok.privacy.ConsentView;
import gilmok.privacy.Purpose;
import gilmok.privacy.RestoredRiders;
import gilmok.redis.Redis;
import gilmok.sinks.kafka.KafkaConfig;
import gilmok.sinks.kafka.KafkaPositions;
import gilmok.sinks.redis.RedisSinkConfig;
import gilmok.sinks.setup.SinksConfig;
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
            context.keys::isStillGood,
            () -> new Hidden(context.privacy.consents().view()));
    context.privacy.consents().onHidden(Purpose.DISPATCH, positions::hide);
    positions.watch(context.meters);
    follow(context, positions);
    positions.start();
    context.ends(positions);
    context.erasables.add(
        Erasable.erasing("positions", rider -> positions.forget(rider.id()) ? 1 : 0));
    RestoredRiders restored = context.privacy.restored();
    if (restored != null) {
      restored.lookIn(look -> positions.each(look::record));
    }
    PositionsRoutes routes = new PositionsRoutes(positions);
    context.warmables.add(routes);
    context.answers(routes.routes());
    return positions;
  }

  /** Riders who do not agree that their latest position is shown. */
  private record Hidden(ConsentView view) implements HiddenRiders {
    @Override
    public boolean isAny() {
      return view.isAny();
    }

    @Override
    public boolean hides(byte[] utf8, int offset, int length) {
      return view.hides(Purpose.DISPATCH, utf8, offset, length);
    }

    @Override
    public long version() {
      return view.version();
    }
  }

  /** Starts following the other nodes, where settings say so. */
  private static void follow(ServerContext context, Positions positions) {
    PositionsConfig config = context.config.of(PositionsConfig.class);
    FleetSource source = source(context, config.follow());
    if (source != null) {
      FleetFollower follower =
          new FleetFollower(
              source,
              context.node.log().node().toString(),
              config,
              positions::take,
              new FleetFollower.Surroundings(
                  context.meters, context.readiness, context.loops, context.clock));
      context.ends(follower);
      follower.start();
    }
  }

  private static @Nullable FleetSource source(
      ServerContext context, PositionsConfig.Follow follow) {
    SinksConfig sinks = context.config.sinks();
    RedisSinkConfig redisSink = sinks.redisSink();
    KafkaConfig kafkaSink = sinks.kafkaSink();
    Redis redis = context.redis;
    return switch (follow) {
      case NONE -> null;
      case REDIS ->
          redis == null || redisSink == null ? null : new RedisFleet(redis, redisSink.buckets());
      case KAFKA ->
          kafkaSink == null ? null : new KafkaFleet(new KafkaPositions(kafkaSink, context.clock));
    };
  }

  /**
   * The positions of all nodes in the topics of the Kafka sink: what the sink's package reads, as
   * the follower wants it.
   *
   * <p>Not thread-safe: owned by the follower's loop.
   */
  private record KafkaFleet(KafkaPositions positions) implements FleetSource {
    /** Gives what is read to the follower's records. */
    private record Into(FleetRecords records) implements KafkaPositions.Taker {
      @Override
      public void begun() {
        records.begun();
      }

      @Override
      public boolean isKnown(byte[] id) {
        return records.isOwn(id, 0, id.length);
      }

      @Override
      public void line(byte[] line, KafkaPositions.Place place) {
        String reason = records.addShipped(line);
        if (reason != null) {
          records.skip(place, reason);
        }
      }
    }

    @Override
    public Progress read(FleetRecords records) throws IOException, InterruptedException {
      KafkaPositions.Reading reading = positions.read(new Into(records), WAIT_MAX);
      return new Progress(
          reading.isWhole(), reading.isAtEnd(), reading.behindMillis(), reading.fault());
    }

    @Override
    public void close() {
      positions.close();
    }
  }
}

package gilmok.app;

import gilmok.config.Settings;
import gilmok.log.Stream;
import gilmok.positions.fleet.FleetRecords;
import gilmok.positions.fleet.FleetSource;
import gilmok.sinks.kafka.KafkaConfig;
import gilmok.sinks.kafka.KafkaPositions;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * The positions of all nodes in the topics of the Kafka sink: what the sink's package reads, as the
 * follower wants it.
 *
 * <p>Not thread-safe: owned by the follower's loop.
 */
record KafkaFleet(KafkaPositions positions) implements FleetSource {
  /** Notes what a sink lacks, so that its topics can be followed. */
  static void check(Settings settings, @Nullable KafkaConfig sink) {
    if (sink == null) {
      settings.problem("positions.follow: kafka needs a sink of the kind kafka in sinks.enabled");
      return;
    }
    String keys = "sinks." + sink.common().name() + ".";
    if (!sink.common().streams().contains(Stream.TRACES)) {
      settings.problem("positions.follow: kafka needs traces in " + keys + "streams");
    }
    if (sink.latest() == null) {
      settings.problem("positions.follow: kafka needs " + keys + "latest-topic");
    }
  }

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

package gilmok.sinks.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.config.Settings;
import gilmok.sinks.Batch;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A batch as Kafka's records, encoded before or when it is sent. */
@Tag("unit")
final class KafkaEncoderTest {
  private static final KafkaConfig CONFIG =
      KafkaConfig.from(
          new Settings(
              new HashMap<>(
                  Map.of(
                      "sinks.kafka.bootstrap-servers", "127.0.0.1:1",
                      "sinks.kafka.latest-topic", "latest"))),
          "kafka");

  @Test
  void prepared_isTheSameAsNot() {
    Batch batch = KafkaBatches.positions(1, 20);
    KafkaEncoder now = new KafkaEncoder(batch, CONFIG);
    KafkaEncoder before = new KafkaEncoder(batch, CONFIG);
    assertThat(before.isPreparedFor(batch)).isFalse();
    before.prepare();
    assertThat(before.isPreparedFor(batch)).isTrue();
    for (int i = 0; i < batch.size(); i++) {
      ProducerRecord<byte[], byte[]> record = now.record(i);
      assertThat(record).isNotNull();
      assertThat(before.record(i)).usingRecursiveComparison().isEqualTo(record);
      assertThat(before.fix(i)).usingRecursiveComparison().isEqualTo(now.fix(i));
    }
    assertThat(before.bytes()).isEqualTo(now.bytes()).isPositive();
  }

  @Test
  void prepared_isForThatBatchAlone_andForNoMoreThanItHadThen() {
    KafkaBatches growing = new KafkaBatches(1).position("r", KafkaBatches.NOW);
    KafkaEncoder encoder = new KafkaEncoder(growing.batch(), CONFIG);
    encoder.prepare();
    assertThat(encoder.isPreparedFor(KafkaBatches.positions(1, 1))).isFalse();
    growing.position("r", KafkaBatches.NOW + 1);
    assertThat(encoder.isPreparedFor(growing.batch())).as("the bound was raised").isFalse();
  }
}

package gilmok.sinks;

import gilmok.config.Settings;
import gilmok.observe.Meters;
import gilmok.sinks.firehose.FirehoseConfig;
import gilmok.sinks.firehose.FirehoseSink;
import gilmok.sinks.firehose.MotoServer;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;

/** The contract over moto. */
@Tag("engine")
@Timeout(360)
final class FirehoseContractIT extends SinkContract {
  private static MotoServer moto;
  private final String stream = "contract-" + System.nanoTime();

  @BeforeAll
  static void start() throws Exception {
    moto = MotoServer.start();
    System.setProperty("aws.accessKeyId", "AKIDSHOWNNOWHERE");
    System.setProperty("aws.secretAccessKey", "secret-shown-nowhere");
  }

  @AfterAll
  static void stop() {
    System.clearProperty("aws.accessKeyId");
    System.clearProperty("aws.secretAccessKey");
    if (moto != null) {
      moto.close();
    }
  }

  @BeforeEach
  void createStream() throws Exception {
    moto.createStream(stream);
  }

  @Override
  Sink sink(SinksRig rig, Meters meters) {
    Map<String, String> settings =
        Map.of(
            "sinks.firehose.stream",
            stream,
            "sinks.firehose.endpoint",
            moto.endpoint().toString(),
            "sinks.firehose.region",
            MotoServer.REGION);
    FirehoseConfig config = FirehoseConfig.from(new Settings(settings), "firehose");
    return new FirehoseSink(config, "firehose", SinksRig.NODE, meters);
  }

  @Override
  List<Arrived> arrived() throws Exception {
    return moto.lines(stream).stream().map(Arrived::of).toList();
  }
}

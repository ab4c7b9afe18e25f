package gilmok.lab.firehose;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.lab.Servers;
import gilmok.lab.Subject;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The stand-in as a process of its own. */
@Tag("process")
class FirehoseCommandIT {
  @TempDir private Path folder;

  @Test
  void command_misbehavesAsTold_andSumsUpAtTheEnd() throws Exception {
    int port = Servers.freePort();
    Path output = folder.resolve("out");
    try (Subject firehose =
            start(
                port,
                output,
                List.of("--fail", "100%", "--delay", "5ms", "--tail", "10ms", "--poison", "no"));
        HttpClient client = HttpClient.newHttpClient()) {
      firehose.awaitPort(Duration.ofMinutes(1));
      HttpRequest put =
          HttpRequest.newBuilder(URI.create(firehose.url()))
              .header("X-Amz-Target", "Firehose_20150804.PutRecordBatch")
              .header("Authorization", "anybody")
              .POST(
                  HttpRequest.BodyPublishers.ofString(
                      "{\"DeliveryStreamName\":\"s\",\"Records\":[{\"Data\":\"eA==\"}]}"))
              .build();
      assertThat(client.send(put, HttpResponse.BodyHandlers.ofString()).body())
          .contains("\"FailedPutCount\":1");
      HttpRequest stats = HttpRequest.newBuilder(URI.create(firehose.url() + "/stats")).build();
      assertThat(client.send(stats, HttpResponse.BodyHandlers.ofString()).body())
          .contains("\"calls\":1")
          .contains("\"recordsFailed\":1");
      firehose.stop();
    }
    assertThat(Files.readString(output)).containsPattern("recordsFailed +1");
  }

  @Test
  void command_wronglyAsked_saysHow() throws Exception {
    Path output = folder.resolve("out");
    try (Subject firehose = start(1, output, List.of("--fail", "10 of 20"))) {
      assertThat(firehose.awaitEnd(Duration.ofMinutes(1))).isEqualTo(2);
    }
    assertThat(Files.readString(output)).contains("--fail").contains("gilmok lab firehose --help");
  }

  private static Subject start(int port, Path output, List<String> more) throws Exception {
    List<String> command =
        new ArrayList<>(
            List.of(
                ProcessHandle.current().info().command().orElse("java"),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                "-cp",
                System.getProperty("java.class.path"),
                "gilmok.lab.Lab",
                "firehose",
                "--port",
                Integer.toString(port)));
    command.addAll(more);
    Files.createFile(output);
    return Subject.start("firehose", command, Map.of(), port, output);
  }
}

package gilmok.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Quarantined records are shown although a segment of the log between them is damaged. */
@Tag("process")
final class QuarantineDamageIT {
  private static final int UPLOADS = 12;
  private static final int EACH = 400;

  @TempDir Path data;

  @Test
  void damagedSegment_isPassedOver_andNamed() throws Exception {
    Random random = new Random(20261123);
    String key;
    Shown sound;
    try (RunningServer server = RunningServer.start(data)) {
      key = server.adminKey();
      for (int i = 0; i < UPLOADS; i++) {
        assertThat(server.post("/v1/traces", upload(random, i)).status()).isEqualTo(202);
      }
      sound = shown(server);
    }
    assertThat(sound.sequences).hasSize(UPLOADS * (EACH - 1));
    assertThat(sound.unreadable).isEmpty();
    Path segment = spoilSecondSegment();

    try (RunningServer server = RunningServer.startKnowing(key, data)) {
      Shown left = shown(server);
      assertThat(left.unreadable).hasSize(1);
      JsonNode gap = left.unreadable.getFirst();
      long from = gap.path("from").asLong();
      long to = gap.path("to").asLong();
      assertThat(gap.path("reason").asString()).contains(segment.getFileName() + ": damaged at");
      List<Long> expected = new ArrayList<>(sound.sequences);
      assertThat(expected.removeIf(sequence -> sequence >= from && sequence <= to)).isTrue();
      assertThat(left.sequences).isEqualTo(expected);
      assertThat(left.sequences).anyMatch(sequence -> sequence > to);

      String record = server.server().facts().node() + ":" + (from + 1);
      RunningServer.Reply receipt = server.get("/v1/receipts/" + record);
      assertThat(receipt.status()).isEqualTo(200);
      assertThat(receipt.json().path("unreadable").asString()).contains(": damaged at");

      RunningServer.Reply begun = server.post("/v1/quarantine-replays", "{}");
      String job = "/v1/quarantine-replays/" + begun.json().path("id").asString();
      Program.await(() -> server.get(job).json().path("done").asBoolean());
      JsonNode done = server.get(job).json();
      assertThat(done.path("error").isMissingNode()).as(done.toString()).isTrue();
      assertThat(done.path("unreadable").asLong()).isEqualTo(to - from + 1);
      assertThat(done.path("found").asLong()).isEqualTo(expected.size());
    }
  }

  /** All pages of the quarantine together. */
  private record Shown(List<Long> sequences, List<JsonNode> unreadable) {}

  private static Shown shown(RunningServer server) throws Exception {
    Shown shown = new Shown(new ArrayList<>(), new ArrayList<>());
    String next = "1";
    while (next != null) {
      RunningServer.Reply page = server.get("/v1/quarantine?limit=1000&cursor=" + next);
      assertThat(page.status()).isEqualTo(200);
      page.json()
          .path("items")
          .forEach(item -> shown.sequences.add(item.path("sequence").asLong()));
      page.json().path("unreadable").forEach(shown.unreadable::add);
      JsonNode more = page.json().path("next");
      next = more.isNull() ? null : more.asString();
    }
    return shown;
  }

  private Path spoilSecondSegment() throws IOException {
    try (Stream<Path> all = Files.list(data.resolve("log"))) {
      List<Path> segments = all.filter(one -> one.toString().endsWith(".log")).sorted().toList();
      assertThat(segments).hasSizeGreaterThanOrEqualTo(3);
      byte[] bytes = Files.readAllBytes(segments.get(1));
      bytes[4 << 20] ^= 1;
      Files.write(segments.get(1), bytes);
      return segments.get(1);
    }
  }

  private static String upload(Random random, int number) {
    StringBuilder body = new StringBuilder("[");
    byte[] noise = new byte[3_500];
    for (int i = 0; i < EACH; i++) {
      random.nextBytes(noise);
      body.append(i == 0 ? "" : ",")
          .append("{\"riderId\":\"r\",\"at\":")
          .append(1_000_000 + number * EACH + i)
          .append(",\"lat\":")
          .append(i == 0 ? 1 : 200)
          .append(",\"lon\":1,\"attributes\":{\"n\":\"")
          .append(HexFormat.of().formatHex(noise))
          .append("\"}}");
    }
    return body.append(']').toString();
  }
}

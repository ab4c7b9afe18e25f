package gilmok.app;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.sinks.firehose.FakeFirehose;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** A certificate names everything that this server cannot erase, and by what it is found there. */
@Tag("process")
final class ErasureLeftIT {
  private static final String GONE = "gone-7";

  @TempDir Path data;
  private OldServer old;
  private ToldPartner partner;
  private FakeFirehose firehose;

  @BeforeEach
  void open() throws Exception {
    System.setProperty("aws.accessKeyId", "AKIDSHOWNNOWHERE");
    System.setProperty("aws.secretAccessKey", "secret-shown-nowhere");
    old = new OldServer();
    partner = new ToldPartner();
    firehose = new FakeFirehose(FakeFirehose::taken);
  }

  @AfterEach
  void close() {
    System.clearProperty("aws.accessKeyId");
    System.clearProperty("aws.secretAccessKey");
    firehose.close();
    partner.close();
    old.close();
  }

  private static String delivered(RiderLife riders, String order) throws Exception {
    String body = DeliveryRig.order(order, "shop-1", "");
    String id = riders.send("POST", "/v1/deliveries", body, 201).path("id").asString();
    riders.send("POST", "/v1/deliveries/" + id + "/accept", "", 200);
    riders.send("POST", "/v1/deliveries/" + id + "/assign", "{\"riderId\":\"" + GONE + "\"}", 200);
    riders.send("POST", "/v1/deliveries/" + id + "/pickup", "", 200);
    return id;
  }

  private static void ride(RiderLife riders) throws Exception {
    String position =
        "{\"riderId\":\"%s\",\"at\":%d,\"lat\":37.5,\"lon\":127}"
            .formatted(GONE, Instant.now().toEpochMilli());
    riders.send("POST", "/v1/traces", position, 202);
  }

  /** What a customer sees of a rider who is on the way. */
  private static void look(String url) throws Exception {
    try (HttpClient client = HttpClient.newHttpClient()) {
      HttpRequest request =
          HttpRequest.newBuilder(URI.create(url)).header("Accept", "application/json").build();
      assertThat(client.send(request, BodyHandlers.ofString()).body()).contains("\"rider\":{\"lat");
    }
  }

  @Test
  void everyPlaceIsNamed_withTheKey_andOfOthersOnlyWhereAnybodyIs() throws Exception {
    try (RunningServer server =
        RunningServer.start(
            data,
            "sinks.enabled=files-former",
            "sinks.files-former.file-age-max=50ms",
            "relay.private-networks=127.0.0.1")) {
      RiderLife riders = new RiderLife(server);
      riders.send("PUT", "/v1/partners/shop-1", partner.asJson(), 201);
      delivered(riders, "order-1");
      String second = delivered(riders, "order-2");
      ride(riders);
      Program.await(() -> server.get("/v1/riders/" + GONE + "/position").status() == 200);
      String url =
          riders
              .send("POST", "/v1/deliveries/" + second + "/track", "", 201)
              .path("url")
              .asString();
      look(server.uri(URI.create(url).getPath()).toString());
      riders.handedOut(GONE);
      riders.awaitShipped();
    }
    Files.createDirectories(data.resolve("heap-dumps"));
    for (String file :
        List.of("heap-dumps/7.hprof", "hs_err_pid7.log", "replay_pid7.log", "core.7")) {
      Files.writeString(data.resolve(file), GONE);
    }
    try (RunningServer server =
        RunningServer.start(
            data,
            "sinks.enabled=firehose,kafka",
            "sinks.firehose.stream=fleet",
            "sinks.firehose.region=ap-northeast-2",
            "sinks.firehose.endpoint=" + firehose.uri(),
            "sinks.kafka.bootstrap-servers=127.0.0.1:1", // nobody: an erasure does not wait for it
            "sinks.kafka.topic-prefix=fleet.",
            "sinks.kafka.send-timeout=1 s",
            "stop.patience=1 s",
            "stop.flush=1 s",
            "tee.url=" + old.url(),
            "relay.private-networks=127.0.0.1")) {
      RiderLife riders = new RiderLife(server);
      ride(riders);
      JsonNode certificate = riders.awaitErased(riders.erase(GONE));
      String pseudonym = certificate.path("pseudonym").asString();
      String given = "GET /v1/privacy/records?rider=" + pseudonym;
      String byRider = "record.riderId is the rider's id";
      String memory = ": delete it: it has what was in memory";
      Map<String, List<String>> left = RiderLife.left(certificate);
      assertThat(left.remove("given"))
          .singleElement()
          .asString()
          .matches("customers and others who were given the location, [4-9] times: .*")
          .endsWith(given);
      assertThat(left.remove("partners"))
          .containsExactly(
              "the partner shop shop-1, which webhooks may have told of 2 deliveries:"
                  + " orders order-1, order-2");
      Map<String, List<String>> ofAnybody =
          Map.of(
              "backups",
              List.of(
                  "backups from before this erasure, until they are removed: the pseudonym, in the"
                      + " list of erased riders of each later backup"),
              "tee",
              List.of(
                  "the server of tee.url, 127.0.0.1: the rider's id and the phones', as phones send"
                      + " them"),
              "firehose",
              List.of("what Firehose has delivered of the stream fleet: " + byRider),
              "kafka",
              List.of(
                  "Kafka's topics fleet.* and who has read them: the message's key, or " + byRider),
              "former-sinks",
              List.of(
                  "what the sink files-former has shipped, which the settings no longer name: "
                      + byRider),
              "files-left",
              List.of(
                  "what Java has written, core.7" + memory,
                  "what Java has written, hs_err_pid7.log" + memory,
                  "what Java has written, replay_pid7.log" + memory,
                  "what Java has written, heap-dumps/7.hprof" + memory));
      assertThat(left).isEqualTo(ofAnybody);
      assertThat(RiderLife.left(riders.awaitErased(riders.erase("was-never-here"))))
          .isEqualTo(ofAnybody);
    }
  }
}

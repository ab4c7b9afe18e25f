package gilmok.lab.sinks;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.lab.firehose.Count;
import gilmok.lab.firehose.Faults;
import gilmok.lab.firehose.Firehose;
import io.vertx.core.Vertx;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The old way, one call for each record: its answer is as good, and as late, as Firehose's. */
@Tag("server")
class OneByOneEndpointTest {
  @Test
  void post_isPutByACallOfItsOwn_andFailsWithIt() throws Exception {
    Vertx vertx = Vertx.vertx();
    Faults faults = new Faults();
    try (Firehose firehose = Firehose.start(Firehose.Setup.of(1), faults);
        HttpClient client = HttpClient.newHttpClient()) {
      int port = new OneByOneEndpoint(vertx, firehose.url(), 2).listen(0);
      assertThat(post(client, port)).isEqualTo(202);
      assertThat(post(client, port)).isEqualTo(202);
      assertThat(firehose.count(Count.CALLS)).isEqualTo(2);
      assertThat(firehose.count(Count.RECORDS)).isEqualTo(2);
      faults.throttle(1);
      assertThat(post(client, port)).isEqualTo(503);
    } finally {
      vertx.close().await();
    }
  }

  private static int post(HttpClient client, int port) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/v1/traces"))
            .POST(HttpRequest.BodyPublishers.ofString("{\"riderId\":\"r\"}"))
            .build();
    return client.send(request, HttpResponse.BodyHandlers.ofString()).statusCode();
  }
}

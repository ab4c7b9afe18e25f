package gilmok.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpClient;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A handler that works for a client is notified when the client goes away. */
@Tag("server")
final class GoneTest {
  private static final byte[] BODY = {1};

  @TempDir Path folder;

  @Test
  void connectionClosedBeforeTheAnswer_isTold() throws Exception {
    try (Edge edge = new Edge()) {
      try (Wire wire = edge.wire()) {
        wire.post("/hold", BODY);
        Edge.await(() -> edge.held.size() == 1);
        assertThat(edge.gone).hasValue(0);
      }
      Edge.await(() -> edge.gone.get() == 1);
      edge.held.remove().reply(200);
      Edge.await(edge::isEmpty);
      assertThat(edge.gone).hasValue(1);
    }
  }

  @Test
  void streamResetBeforeTheAnswer_isTold() throws Exception {
    OverTls tls = new OverTls(folder);
    try (Edge edge = new Edge(tls::serve);
        HttpClient client = tls.client()) {
      assertThat(get(client, edge).statusCode()).isEqualTo(200);
      CompletableFuture<HttpResponse<String>> held =
          client.sendAsync(
              edge.request("/hold").POST(BodyPublishers.ofByteArray(BODY)).build(),
              BodyHandlers.ofString());
      Edge.await(() -> edge.held.size() == 1);
      assertThat(held.cancel(true)).isTrue();
      Edge.await(() -> edge.gone.get() == 1);
      assertThat(get(client, edge).statusCode()).isEqualTo(200);
    }
  }

  private static HttpResponse<String> get(HttpClient client, Edge edge) throws Exception {
    return client.send(edge.request("/query?q=1").build(), BodyHandlers.ofString());
  }

  @Test
  void answeredClientThatCloses_isNoNews() throws Exception {
    try (Edge edge = new Edge()) {
      try (Wire wire = edge.wire()) {
        wire.post("/hold", BODY);
        Edge.await(() -> edge.held.size() == 1);
        edge.held.remove().reply(200);
        assertThat(wire.read().status()).isEqualTo(200);
      }
      Edge.await(() -> edge.listener.connections() == 0);
      assertThat(edge.gone).hasValue(0);
    }
  }
}

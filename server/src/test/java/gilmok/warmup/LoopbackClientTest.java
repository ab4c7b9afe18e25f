package gilmok.warmup;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.warmup.ResponseCapture.Place;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("server")
final class LoopbackClientTest {
  private static final byte[] REQUEST = bytes("GET / HTTP/1.1\r\n\r\n");

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** Accepts one connection for each list, and answers its requests with the texts in order. */
  private static Thread answering(ServerSocket server, List<List<String>> connections) {
    return Thread.ofVirtual()
        .start(
            () -> {
              for (List<String> answers : connections) {
                try (Socket socket = server.accept()) {
                  for (String answer : answers) {
                    var _ = socket.getInputStream().readNBytes(REQUEST.length);
                    socket.getOutputStream().write(bytes(answer));
                  }
                  // Waits until the client closes: a server does not end a stream of events.
                  var _ = socket.getInputStream().read();
                } catch (IOException broken) {
                  throw new AssertionError(broken);
                }
              }
            });
  }

  private static ServerSocket server() throws IOException {
    return new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
  }

  @Test
  void found_isWhatTheLastAnswerSays() throws Exception {
    String json = "{\"id\":\"a1\",\"version\":7,\"next\":null,\"page\":\"/assets/v9/main.js\"}";
    String answer =
        "HTTP/1.1 200 OK\r\neTag: \"x-gzip\"\r\nSet-Cookie: session=s3; Path=/\r\n"
            + "Content-Length: "
            + json.length()
            + "\r\n\r\n"
            + json;
    try (ServerSocket server = server()) {
      Thread answering =
          answering(
              server, List.of(List.of(answer, "HTTP/1.1 404 Not\r\nContent-Length: 0\r\n\r\n")));
      try (LoopbackClient client = new LoopbackClient(server.getLocalPort())) {
        assertThat(client.exchange(REQUEST)).isEqualTo(200);
        assertThat(found(client, Place.FIELD, "id")).isEqualTo("a1");
        assertThat(found(client, Place.FIELD, "version")).isEqualTo("7");
        assertThat(found(client, Place.FIELD, "nothing")).isEmpty();
        assertThat(found(client, Place.HEADER, "ETag")).isEqualTo("\"x-gzip\"");
        assertThat(found(client, Place.HEADER, "Location")).isEmpty();
        assertThat(found(client, Place.COOKIE, "session")).isEqualTo("s3");
        assertThat(found(client, Place.COOKIE, "another")).isEmpty();
        assertThat(found(client, Place.BEHIND, "/assets/")).isEqualTo("v9");
        assertThat(client.exchange(REQUEST)).isEqualTo(404);
        assertThat(found(client, Place.FIELD, "id")).isEmpty();
        assertThat(found(client, Place.HEADER, "ETag")).isEmpty();
      }
      answering.join();
    }
  }

  private static String found(LoopbackClient client, Place place, String what) {
    return client.found(new ResponseCapture("it", place, what));
  }

  @Test
  void streamOfEvents_isLeftAfterItsBeginning_andTheNextRequestIsAnswered() throws Exception {
    String stream =
        "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
            + "d\r\nretry: 2000\n\n\r\n";
    String next = "HTTP/1.1 204 No Content\r\n\r\n";
    try (ServerSocket server = server()) {
      Thread answering = answering(server, List.of(List.of(stream), List.of(next)));
      try (LoopbackClient client = new LoopbackClient(server.getLocalPort())) {
        assertThat(client.exchange(REQUEST)).isEqualTo(200);
        assertThat(client.isOver()).isFalse();
        assertThat(client.exchange(REQUEST)).isEqualTo(204);
      }
      answering.join();
    }
  }
}

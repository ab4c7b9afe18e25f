package gilmok.warmup;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.warmup.Memory.Place;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

final class WireTest {
  private static final byte[] REQUEST = bytes("GET / HTTP/1.1\r\n\r\n");

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** Answers each request with the next of these; a new connection for each list. */
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
                  // Until the other side is gone: a stream would go on.
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
      try (Wire wire = new Wire(server.getLocalPort())) {
        assertThat(wire.exchange(REQUEST)).isEqualTo(200);
        assertThat(found(wire, Place.FIELD, "id")).isEqualTo("a1");
        assertThat(found(wire, Place.FIELD, "version")).isEqualTo("7");
        assertThat(found(wire, Place.FIELD, "nothing")).isEmpty();
        assertThat(found(wire, Place.HEADER, "ETag")).isEqualTo("\"x-gzip\"");
        assertThat(found(wire, Place.HEADER, "Location")).isEmpty();
        assertThat(found(wire, Place.COOKIE, "session")).isEqualTo("s3");
        assertThat(found(wire, Place.COOKIE, "another")).isEmpty();
        assertThat(found(wire, Place.BEHIND, "/assets/")).isEqualTo("v9");
        assertThat(wire.exchange(REQUEST)).isEqualTo(404);
        assertThat(found(wire, Place.FIELD, "id")).isEmpty();
        assertThat(found(wire, Place.HEADER, "ETag")).isEmpty();
      }
      answering.join();
    }
  }

  private static String found(Wire wire, Place place, String what) {
    return wire.found(new Memory("it", place, what));
  }

  @Test
  void streamOfEvents_isLeftAfterItsBeginning_andTheNextRequestIsAnswered() throws Exception {
    String stream =
        "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
            + "d\r\nretry: 2000\n\n\r\n";
    String next = "HTTP/1.1 204 No Content\r\n\r\n";
    try (ServerSocket server = server()) {
      Thread answering = answering(server, List.of(List.of(stream), List.of(next)));
      try (Wire wire = new Wire(server.getLocalPort())) {
        assertThat(wire.exchange(REQUEST)).isEqualTo(200);
        assertThat(wire.isOver()).isFalse();
        assertThat(wire.exchange(REQUEST)).isEqualTo(204);
      }
      answering.join();
    }
  }
}

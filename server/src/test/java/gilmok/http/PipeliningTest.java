package gilmok.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Clients that keep sending without reading the answers. */
@Tag("server")
final class PipeliningTest {
  private static final int QUIET_MILLIS = 1000;
  private static final long BYTES_MAX = 64 << 20;

  @Test
  void answers_notTaken_stopTheReading() throws Exception {
    sendsWithoutReading("GET /version HTTP/1.1\r\nHost: t\r\n\r\n");
  }

  @Test
  void answers_ofHeldRequestsNotTaken_stopTheReading() throws Exception {
    sendsWithoutReading(
        "POST /echo HTTP/1.1\r\nHost: t\r\nX-Api-Key: good\r\nContent-Length: 5\r\n\r\nhello");
  }

  @Test
  void refusals_notTaken_stopTheReading() throws Exception {
    sendsWithoutReading("POST /echo HTTP/1.1\r\nHost: t\r\nContent-Length: 5\r\n\r\nhello");
  }

  /**
   * Sends until the server reads no more: it takes what the two sockets' buffers hold. Other
   * connections are served meanwhile, and once the answers are read, there is one for each request.
   */
  private static void sendsWithoutReading(String request) throws Exception {
    try (Edge edge = new Edge();
        Selector selector = Selector.open();
        SocketChannel channel = SocketChannel.open()) {
      channel.setOption(StandardSocketOptions.SO_RCVBUF, 4096);
      channel.connect(
          new InetSocketAddress(InetAddress.getLoopbackAddress(), edge.listener.port()));
      channel.configureBlocking(false);
      channel.register(selector, SelectionKey.OP_WRITE);
      ByteBuffer many = ByteBuffer.wrap(request.repeat(1000).getBytes(StandardCharsets.UTF_8));
      long sent = 0;
      while (sent < BYTES_MAX && selector.select(QUIET_MILLIS) > 0) {
        selector.selectedKeys().clear();
        sent += channel.write(many);
        if (!many.hasRemaining()) {
          many.rewind();
        }
      }
      assertThat(sent).as("bytes taken from a client that reads nothing").isLessThan(BYTES_MAX);
      assertThat(edge.isEmpty()).as("no room is held for it").isTrue();
      try (Wire other = edge.wire()) {
        assertThat(other.get("/query?q=1").read().status()).isEqualTo(200);
      }
      channel.keyFor(selector).cancel();
      selector.selectNow();
      channel.configureBlocking(true);
      long requests = sent / request.length();
      assertThat(answersOf(channel, requests)).isEqualTo(requests);
    }
  }

  @Test
  void connections_tooManyWithUntakenAnswers_areCutOff() throws Exception {
    ByteBuffer request =
        ByteBuffer.wrap(
            ("POST /echo HTTP/1.1\r\nHost: t\r\nX-Api-Key: good\r\nContent-Length: 65536\r\n\r\n"
                    + "x".repeat(65536))
                .getBytes(StandardCharsets.UTF_8));
    List<SocketChannel> channels = new ArrayList<>();
    try (Edge edge = new Edge()) {
      for (int i = 0; i < 80; i++) {
        SocketChannel channel = SocketChannel.open();
        channels.add(channel);
        channel.setOption(StandardSocketOptions.SO_RCVBUF, 4096);
        channel.connect(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), edge.listener.port()));
        sendUnread(channel, request);
      }
      Edge.await(() -> edge.listener.connections() == 64);
      try (Wire other = edge.wire()) {
        assertThat(other.get("/query?q=1").read().status()).isEqualTo(200);
      }
      for (SocketChannel channel : channels) {
        channel.close();
      }
      Edge.await(() -> edge.listener.connections() == 0);
      Edge.await(edge::isEmpty);
    }
  }

  private static void sendUnread(SocketChannel channel, ByteBuffer request) {
    Thread.ofVirtual()
        .start(
            () -> {
              ByteBuffer own = request.duplicate();
              try {
                while (true) {
                  channel.write(own.rewind());
                }
              } catch (IOException closed) {
                // The server cut the connection, or the test is over.
              }
            });
  }

  private static long answersOf(SocketChannel channel, long wanted) throws IOException {
    byte[] mark = "HTTP/1.1 ".getBytes(StandardCharsets.UTF_8);
    ByteBuffer buffer = ByteBuffer.allocate(1 << 16);
    channel.socket().setSoTimeout(20_000);
    long answers = 0;
    int matched = 0;
    while (answers < wanted && channel.read(buffer.clear()) >= 0) {
      for (int i = 0; i < buffer.position(); i++) {
        byte b = buffer.get(i);
        matched = b == mark[matched] ? matched + 1 : b == mark[0] ? 1 : 0;
        if (matched == mark.length) {
          answers++;
          matched = 0;
        }
      }
    }
    return answers;
  }
}

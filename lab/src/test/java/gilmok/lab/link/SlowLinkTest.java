package gilmok.lab.link;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Tag("server")
@Timeout(value = 30, unit = TimeUnit.SECONDS)
final class SlowLinkTest {
  private static final Duration DELAY = Duration.ofMillis(150);
  private static final byte[] SAID = "한글 twice once".getBytes(StandardCharsets.UTF_8);

  @Test
  void answers_comeLaterAndWhole_andTheEndIsPassedOn() throws Exception {
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        SlowLink link = SlowLink.open(0, server.getLocalPort(), DELAY);
        Socket client = new Socket(InetAddress.getLoopbackAddress(), link.port())) {
      Thread.ofVirtual().start(() -> echo(server));
      long asked = System.nanoTime();
      client.getOutputStream().write("한글 twice".getBytes(StandardCharsets.UTF_8));
      client.getOutputStream().write(" once".getBytes(StandardCharsets.UTF_8));

      assertThat(client.getInputStream().readNBytes(SAID.length)).isEqualTo(SAID);

      assertThat(System.nanoTime() - asked).isGreaterThanOrEqualTo(DELAY.toNanos());
      assertThat(client.getInputStream().read()).isEqualTo(-1);
    }
  }

  private static void echo(ServerSocket server) {
    try (Socket socket = server.accept()) {
      byte[] said = socket.getInputStream().readNBytes(SAID.length);
      socket.getOutputStream().write(said);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}

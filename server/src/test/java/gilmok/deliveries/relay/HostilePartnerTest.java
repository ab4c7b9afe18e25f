package gilmok.deliveries.relay;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** One call over real HTTP, to a partner whose bytes are none that a server of HTTP would send. */
@Tag("server")
@Timeout(60)
final class HostilePartnerTest {
  /** What follows on such a connection is no HTTP: the next call must not get it as its answer. */
  @Test
  void send_answeredByAnotherProtocol_closesThatConnection() throws Exception {
    String switching =
        "HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: other\r\n\r\n";
    String good = "HTTP/1.1 204 No Content\r\n\r\n";
    try (ServerSocket partner = new ServerSocket(0, 8, InetAddress.getLoopbackAddress());
        HttpWebhookSender sender = HttpWebhookSenderTest.sender(Map.of())) {
      String url = "http://127.0.0.1:" + partner.getLocalPort() + "/";
      Thread.startVirtualThread(
          () -> {
            try {
              for (String answer : List.of(switching, good)) {
                Socket accepted = partner.accept();
                accepted.getInputStream().read();
                accepted.getOutputStream().write(answer.getBytes(StandardCharsets.UTF_8));
              }
            } catch (IOException closed) {
              // The test is over.
            }
          });
      assertThat(sender.send(HttpWebhookSenderTest.call(url)).status()).isZero();
      assertThat(sender.send(HttpWebhookSenderTest.call(url)))
          .isEqualTo(new WebhookOutcome(204, "", 0));
    }
  }

  /** A partner may send any number of interim answers; each is read. */
  @Test
  void send_interimAnswersWithoutEnd_areCut() throws Exception {
    try (ServerSocket hostile = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        HttpWebhookSender sender = HttpWebhookSenderTest.sender(Map.of())) {
      byte[] interim = "HTTP/1.1 100 Continue\r\n\r\n".getBytes(StandardCharsets.UTF_8);
      Thread.startVirtualThread(
          () -> {
            try (Socket accepted = hostile.accept()) {
              // An answer before the request is none at all.
              accepted.getInputStream().read();
              while (true) {
                accepted.getOutputStream().write(interim);
              }
            } catch (IOException hungUp) {
              // The sender has had enough.
            }
          });
      assertThat(
              sender.send(
                  HttpWebhookSenderTest.call("http://127.0.0.1:" + hostile.getLocalPort() + "/")))
          .isEqualTo(WebhookOutcome.none("too many answers before the answer"));
    }
  }
}

package gilmok.http;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.Seeds;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Any bytes on a connection end in an answer or a close; the server goes on and logs nothing. */
@Tag("server")
@Tag("soak")
final class ConnectionFuzz {
  private static final String[] PARTS = {
    "GET ",
    "POST ",
    "HEAD ",
    "PUT ",
    "OPTIONS ",
    "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    "/echo",
    "/query?q=%zz",
    "/query?key=good",
    "/riders/%2F%/position",
    "*",
    "http://",
    "/none",
    "?",
    "#",
    " HTTP/1.1\r\n",
    " HTTP/1.0\r\n",
    " HTTP/2.0\r\n",
    " HTTP/9.9\r\n",
    " FTP/1.1\r\n",
    "\r\n",
    "\n",
    "\r",
    "\r\n\r\n",
    "Host: t\r\n",
    "X-Api-Key: good\r\n",
    "X-Api-Key: fast\r\n",
    "Content-Length: 5\r\n",
    "Content-Length: 99999999999999999999\r\n",
    "Content-Length: x\r\n",
    "Content-Length: 3\r\nContent-Length: 4\r\n",
    "Transfer-Encoding: chunked\r\n",
    "Transfer-Encoding: gzip\r\n",
    "Content-Encoding: gzip\r\n",
    "Content-Encoding: zstd\r\n",
    "Expect: 100-continue\r\n",
    "Expect: x\r\n",
    "Connection: close\r\n",
    "Connection: upgrade\r\n",
    "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n",
    "Upgrade: h2c\r\n",
    "HTTP2-Settings: !\r\n",
    "Upgrade: websocket\r\n",
    "Accept-Language: ko;q=\r\n",
    "5\r\nhello\r\n",
    "0\r\n\r\n",
    "ffffffff\r\n",
    "-1\r\n",
    "hello",
    "\0",
    "é",
    ": \r\n",
    " folded\r\n",
    "\0\0\0\4\0\0\0\0\0",
    "\0\0\5\1\5\0\0\0\1\u0002\u0004\u0006",
    "\0\0\1\0\1\0\0\0\1x",
    "\u001f\u008b\b\0\0\0\0\0\0\0",
  };

  private static byte[] bytes(Random random) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    if (random.nextInt(3) > 0) {
      bytes.writeBytes(
          "POST /echo HTTP/1.1\r\nX-Api-Key: good\r\n".getBytes(StandardCharsets.ISO_8859_1));
    }
    int parts = 1 + random.nextInt(8);
    for (int i = 0; i < parts; i++) {
      if (random.nextInt(10) == 0) {
        byte[] noise = new byte[random.nextInt(100)];
        random.nextBytes(noise);
        bytes.writeBytes(noise);
      } else {
        bytes.writeBytes(PARTS[random.nextInt(PARTS.length)].getBytes(StandardCharsets.ISO_8859_1));
      }
    }
    if (random.nextInt(3) > 0) {
      bytes.writeBytes("\r\n\r\n".getBytes(StandardCharsets.ISO_8859_1));
    }
    return bytes.toByteArray();
  }

  private static void send(Edge edge, byte[] bytes, Random random) throws IOException {
    try (Wire wire = edge.wire()) {
      int cut = random.nextInt(bytes.length + 1);
      wire.send(java.util.Arrays.copyOf(bytes, cut));
      wire.send(java.util.Arrays.copyOfRange(bytes, cut, bytes.length));
      switch (random.nextInt(3)) {
        case 0 -> {
          wire.socket().shutdownOutput();
          assertThat(wire.isClosedByServer()).isTrue();
        }
        case 1 -> wire.socket().setSoLinger(true, 0);
        default -> {}
      }
    } catch (SocketException e) {
      // Closed or reset while the bytes were sent: this is a close, too.
    }
  }

  @Test
  void anyBytes_endInAnAnswerOrAClose() throws Exception {
    try (Edge edge = new Edge();
        LogLines log = new LogLines()) {
      Seeds.each(
          3_000,
          seed -> {
            Random random = new Random(seed);
            byte[] bytes = bytes(random);
            try {
              send(edge, bytes, random);
              assertThat(log.lines()).isEmpty();
            } catch (IOException | AssertionError e) {
              throw new AssertionError(new String(bytes, StandardCharsets.ISO_8859_1), e);
            }
          });
      Edge.await(() -> edge.listener.connections() == 0);
      Edge.await(edge::isEmpty);
      try (Wire wire = edge.wire()) {
        assertThat(wire.get("/query?q=alive").read().text()).isEqualTo("alive");
      }
      assertThat(log.lines()).isEmpty();
    }
  }
}

package gilmok.lab.missions;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class ResponseTest {
  private static final String LONG =
      "HTTP/1.1 200 OK\r\nconnection: keep-alive\r\nContent-Encoding: gzip\r\n"
          + "Content-Length: 40000\r\n\r\n";

  private final Response response = new Response();

  private static ByteBuf bytes(String text) {
    return Unpooled.wrappedBuffer(text.getBytes(StandardCharsets.ISO_8859_1));
  }

  @Test
  void take_cutAnywhere_isTheSame() {
    String whole = LONG + "x".repeat(40_000);
    for (int cut = 1; cut < LONG.length() + 3; cut++) {
      response.clear();
      assertThat(response.take(bytes(whole.substring(0, cut)))).isFalse();
      ByteBuf rest = bytes(whole.substring(cut) + "HTTP");
      assertThat(response.take(rest)).isTrue();
      assertThat(rest.readableBytes()).isEqualTo(4);
      assertThat(response.isBroken()).isFalse();
      assertThat(response.status()).isEqualTo(200);
      assertThat(response.bodyBytes()).isEqualTo(40_000);
      assertThat(response.isPacked()).isTrue();
    }
  }

  @Test
  void take_byteByByte_endsWithTheLast() {
    String whole = "HTTP/1.1 201 Created\r\ncontent-length:2\r\n\r\n{}";
    for (int i = 0; i < whole.length(); i++) {
      assertThat(response.take(bytes(whole.substring(i, i + 1))))
          .isEqualTo(i == whole.length() - 1);
    }
    assertThat(response.isPacked()).isFalse();
  }

  @Test
  void take_notModified_hasNoBodyWhateverItsLength() {
    assertThat(response.take(bytes("HTTP/1.1 304 Not Modified\r\nContent-Length: 9\r\n\r\n")))
        .isTrue();
    assertThat(response.status()).isEqualTo(304);
    assertThat(response.bodyBytes()).isZero();
  }

  @Test
  void take_withoutALength_isBroken() {
    assertThat(response.take(bytes("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")))
        .isTrue();
    assertThat(response.isBroken()).isTrue();
  }

  @Test
  void take_aHeadThatNeverEnds_isBroken() {
    assertThat(response.take(bytes("HTTP/1.1 200 OK\r\nx: " + "y".repeat(5_000)))).isTrue();
    assertThat(response.isBroken()).isTrue();
  }
}

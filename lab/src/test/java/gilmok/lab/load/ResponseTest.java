package gilmok.lab.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("unit")
class ResponseTest {
  private static final String LONG =
      "HTTP/1.1 200 OK\r\nconnection: keep-alive\r\nContent-Encoding: gzip\r\n"
          + "Content-Length: 40000\r\n\r\n";

  private final Response answer = new Response();

  private static ByteBuf bytes(String text) {
    return Unpooled.wrappedBuffer(text.getBytes(StandardCharsets.ISO_8859_1));
  }

  @Test
  void take_cutAnywhere_isTheSame() {
    String whole = LONG + "x".repeat(40_000);
    for (int cut = 1; cut < LONG.length() + 3; cut++) {
      answer.clear();
      assertThat(answer.take(bytes(whole.substring(0, cut)))).isFalse();
      ByteBuf rest = bytes(whole.substring(cut) + "HTTP");
      assertThat(answer.take(rest)).isTrue();
      assertThat(rest.readableBytes()).isEqualTo(4);
      assertThat(answer.isBroken()).isFalse();
      assertThat(answer.status()).isEqualTo(200);
      assertThat(answer.bodyBytes()).isEqualTo(40_000);
      assertThat(answer.isPacked()).isTrue();
    }
  }

  @Test
  void take_byteByByte_endsWithTheLast() {
    String whole = "HTTP/1.1 201 Created\r\ncontent-length:2\r\n\r\n{}";
    for (int i = 0; i < whole.length(); i++) {
      assertThat(answer.take(bytes(whole.substring(i, i + 1)))).isEqualTo(i == whole.length() - 1);
    }
    assertThat(answer.isPacked()).isFalse();
  }

  @Test
  void take_notModified_hasNoBodyWhateverItsLength() {
    assertThat(answer.take(bytes("HTTP/1.1 304 Not Modified\r\nContent-Length: 9\r\n\r\n")))
        .isTrue();
    assertThat(answer.status()).isEqualTo(304);
    assertThat(answer.bodyBytes()).isZero();
  }

  @Test
  void take_withoutALength_isBroken() {
    assertThat(answer.take(bytes("HTTP/1.1 200 OK\r\nX-Other: 1\r\n\r\n"))).isTrue();
    assertThat(answer.isBroken()).isTrue();
  }

  @Test
  void take_otherBytes_isBroken() {
    assertThat(answer.take(bytes("SSH-2.0-OpenSSH_9.2"))).isTrue();
    assertThat(answer.isBroken()).isTrue();
  }

  @Test
  void take_chunks_endWithTheLast() {
    String whole =
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
            + "4\r\nabcd\r\n10\r\n0\r\n0123456789abc\r\n0\r\n\r\n";
    for (int size = 1; size <= whole.length(); size++) {
      answer.clear();
      boolean isWhole = false;
      for (int i = 0; i < whole.length(); i += size) {
        assertThat(isWhole).as("parts of %d", size).isFalse();
        isWhole = answer.take(bytes(whole.substring(i, Math.min(whole.length(), i + size))));
      }
      assertThat(isWhole).as("parts of %d", size).isTrue();
      assertThat(answer.isBroken()).isFalse();
    }
  }

  @Test
  void number_ofTheBody_isFound() {
    String json = "{\"accepted\":50,\"duplicates\": 3,\"id\":\"ab-1\",\"receipt\":null}";
    String head = "HTTP/1.1 202 Accepted\r\nContent-Length: " + json.length() + "\r\n\r\n";
    ByteBuf two = bytes(head + json + "HTTP/1.1 200");
    assertThat(answer.take(two)).isTrue();
    assertThat(two.readableBytes()).isEqualTo(12);
    assertThat(answer.number(Response.ascii("\"accepted\":"))).isEqualTo(50);
    assertThat(answer.number(Response.ascii("\"duplicates\":"))).isEqualTo(3);
    assertThat(answer.number(Response.ascii("\"quarantined\":"))).isEqualTo(-1);
    assertThat(answer.text(Response.ascii("\"id\":\""))).isEqualTo("ab-1");
    assertThat(answer.text(Response.ascii("\"no\":\""))).isNull();
  }

  @Test
  void take_redisReplies_byteByByte() {
    for (String reply :
        List.of(
            ":5\r\n", "+OK\r\n", "$3\r\nabc\r\n", "*2\r\n*2\r\n$1\r\na\r\n$2\r\n10\r\n*0\r\n")) {
      RedisResponse redis = new RedisResponse();
      for (int i = 0; i < reply.length(); i++) {
        assertThat(redis.take(bytes(reply.substring(i, i + 1)))).isEqualTo(i == reply.length() - 1);
      }
      assertThat(redis.status()).isEqualTo(200);
    }
    RedisResponse refused = new RedisResponse();
    assertThat(refused.take(bytes("-ERR unknown command\r\n"))).isTrue();
    assertThat(refused.status()).isEqualTo(500);
  }

  @Test
  void take_aHeadThatNeverEnds_isBroken() {
    assertThat(answer.take(bytes("HTTP/1.1 200 OK\r\nx: " + "y".repeat(5_000)))).isTrue();
    assertThat(answer.isBroken()).isTrue();
  }
}

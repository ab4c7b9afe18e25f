package gilmok.lab.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class ResponseReaderTest {
  private static final String BODY =
      "{\"accepted\":50,\"duplicates\":3,\"quarantined\":[],\"receipt\":null}";
  private static final String RESPONSE =
      "HTTP/1.1 202 Accepted\r\nContent-Type: application/json\r\nContent-Length: "
          + BODY.length()
          + "\r\nX-Other: 1\r\n\r\n"
          + BODY;

  private final ResponseReader reader = new ResponseReader();

  @Test
  void read_wholeResponse_givesItsNumbers() {
    assertThat(read("xx", RESPONSE, "HTTP")).isEqualTo(RESPONSE.length());
    assertThat(reader.status()).isEqualTo(202);
    assertThat(reader.accepted()).isEqualTo(50);
    assertThat(reader.duplicates()).isEqualTo(3);
  }

  @Test
  void read_anyPartOfAResponse_isIncomplete() {
    for (int length = 0; length < RESPONSE.length(); length++) {
      assertThat(read("", RESPONSE.substring(0, length), ""))
          .as("the first %d bytes", length)
          .isEqualTo(ResponseReader.INCOMPLETE);
    }
  }

  @Test
  void read_smallHeaderNames_areUnderstood() {
    assertThat(read("", RESPONSE.replace("Content-Length", "content-length"), ""))
        .isEqualTo(RESPONSE.length());
  }

  @Test
  void read_withoutLength_isBroken() {
    assertThat(read("", "HTTP/1.1 202 Accepted\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", ""))
        .isEqualTo(ResponseReader.BROKEN);
  }

  @Test
  void read_otherBytes_isBroken() {
    assertThat(read("", "SSH-2.0-OpenSSH_9.2", "")).isEqualTo(ResponseReader.BROKEN);
  }

  @Test
  void read_bodyWithoutNumbers_saysAbsent() {
    String response = "HTTP/1.1 503 Busy\r\nContent-Length: 2\r\n\r\n{}";
    assertThat(read("", response, "")).isEqualTo(response.length());
    assertThat(reader.status()).isEqualTo(503);
    assertThat(reader.accepted()).isEqualTo(ResponseReader.ABSENT);
    assertThat(reader.duplicates()).isEqualTo(ResponseReader.ABSENT);
  }

  private int read(String before, String response, String after) {
    byte[] bytes = (before + response + after).getBytes(StandardCharsets.ISO_8859_1);
    return reader.read(bytes, before.length(), bytes.length);
  }
}

package gilmok.http;

import java.util.List;
import java.util.Map;

/**
 * What the other server has answered; or why it has not.
 *
 * @param status 0 when it has not answered
 * @param failure why it has not; empty when it has
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record OtherAnswer(
    int status, List<Map.Entry<String, String>> headers, byte[] body, String failure) {
  public OtherAnswer {
    headers = List.copyOf(headers);
  }

  static OtherAnswer none(String failure) {
    return new OtherAnswer(0, List.of(), new byte[0], failure);
  }

  /** Whether it has accepted the request. */
  public boolean isSuccess() {
    return status / 100 == 2;
  }
}

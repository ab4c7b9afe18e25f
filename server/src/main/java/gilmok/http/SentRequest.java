package gilmok.http;

import java.util.List;
import java.util.Map;

/**
 * A request as it came, for passing it on. The body is as it was sent, compressed or not; nobody
 * may change it.
 *
 * @param target path and query
 * @param headers in their order, names as they were sent
 * @param connection which it came on: the same for all requests of one connection, and equal to no
 *     other's
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record SentRequest(
    String method,
    String target,
    List<Map.Entry<String, String>> headers,
    byte[] body,
    Object connection) {
  public SentRequest {
    headers = List.copyOf(headers);
  }

  /** How much memory it takes while it waits, roughly. */
  public int bytes() {
    int sum = 512 + target.length() + body.length;
    for (Map.Entry<String, String> header : headers) {
      sum += 64 + header.getKey().length() + header.getValue().length();
    }
    return sum;
  }
}

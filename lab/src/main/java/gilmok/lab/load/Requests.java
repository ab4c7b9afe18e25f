package gilmok.lab.load;

import java.nio.charset.StandardCharsets;

/** Builds HTTP/1.1 requests as bytes. Stateless. */
public final class Requests {
  /** The header of requests with a JSON body. */
  public static final String JSON = "Content-Type: application/json";

  private Requests() {}

  /**
   * A request without a body.
   *
   * @param path with its query
   * @param key the API key; empty for none
   * @param headers further headers, as {@code "Accept: text/plain"}
   */
  public static byte[] get(String path, String key, String... headers) {
    return bytes(head("GET", path, key, headers) + "\r\n");
  }

  /** A request with a body. */
  public static byte[] send(
      String method, String path, String key, String body, String... headers) {
    String length = "Content-Length: " + bytes(body).length + "\r\n\r\n";
    return bytes(head(method, path, key, headers) + length + body);
  }

  private static String head(String method, String path, String key, String... headers) {
    StringBuilder head = new StringBuilder(method).append(' ').append(path);
    head.append(" HTTP/1.1\r\nHost: lab\r\n");
    if (!key.isEmpty()) {
      head.append("X-Api-Key: ").append(key).append("\r\n");
    }
    for (String header : headers) {
      head.append(header).append("\r\n");
    }
    return head.toString();
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}

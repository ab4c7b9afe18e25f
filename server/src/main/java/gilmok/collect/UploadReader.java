package gilmok.collect;

import gilmok.collect.dialect.Upload;
import gilmok.http.Exchange;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Finds the upload in a request: a JSON body, else the parameters of the URI, else those of a form.
 * If a form did not arrive whole, what has arrived is used instead of the URI. The key is removed
 * from parameters, so that it is not stored.
 *
 * <p>Not thread-safe: one for each event loop.
 */
final class UploadReader {
  private static final byte[] KEY = {'k', 'e', 'y'};

  private boolean json;
  private boolean body;

  /**
   * Reads the upload of a request.
   *
   * @param nowMillis when the request arrived, epoch ms
   */
  Upload read(Exchange exchange, UploadEndpoint uploadEndpoint, long nowMillis) {
    byte[] bytes = exchange.bodyBytes();
    int from = exchange.bodyOffset();
    int length = exchange.bodyLength();
    json = uploadEndpoint.takesOnlyJson() || Upload.isJson(bytes, from, from + length);
    body = true;
    if (!json) {
      // The bytes as they were sent: the head holds a character for each of them.
      byte[] query = withoutKey(exchange.queryString().getBytes(StandardCharsets.ISO_8859_1));
      body = query.length == 0 || (length > 0 && exchange.bodyFault() != null);
      bytes = body ? withoutKey(Arrays.copyOfRange(bytes, from, from + length)) : query;
      from = 0;
      length = bytes.length;
    }
    return new Upload(
        bytes,
        from,
        length,
        first(exchange.header("X-Limit-U"), exchange.query("u")),
        first(exchange.header("X-Limit-D"), exchange.query("d")),
        nowMillis);
  }

  /** Whether the last upload is to be read as a JSON body. */
  boolean isJson() {
    return json;
  }

  /** Whether the last upload was the body, whole or as far as it has arrived. */
  boolean isBody() {
    return body;
  }

  private static @Nullable String first(@Nullable String header, @Nullable String parameter) {
    return header == null || header.isBlank() ? parameter : header;
  }

  /** Removes the parameters called {@code key}, in place. */
  private static byte[] withoutKey(byte[] parameters) {
    int size = 0;
    for (int from = 0; from < parameters.length; ) {
      int to = from;
      while (to < parameters.length && parameters[to] != '&') {
        to++;
      }
      if (!isKey(parameters, from, to)) {
        if (size > 0) {
          parameters[size++] = '&';
        }
        System.arraycopy(parameters, from, parameters, size, to - from);
        size += to - from;
      }
      from = to + 1;
    }
    return size == parameters.length ? parameters : Arrays.copyOf(parameters, size);
  }

  /** Whether a parameter's decoded name is {@code key}. */
  private static boolean isKey(byte[] bytes, int from, int to) {
    int matched = 0;
    int p = from;
    while (p < to && bytes[p] != '=') {
      int b = bytes[p];
      if (b == '%' && p + 2 < to) {
        b = Character.digit(bytes[p + 1], 16) << 4 | Character.digit(bytes[p + 2], 16);
        p += 2;
      }
      if (matched == KEY.length || b != KEY[matched]) {
        return false;
      }
      matched++;
      p++;
    }
    return matched == KEY.length;
  }
}

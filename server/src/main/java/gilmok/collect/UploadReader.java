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
    int to = from + exchange.bodyLength();
    boolean isJson = uploadEndpoint.takesOnlyJson() || Upload.isJson(bytes, from, to);
    return read(exchange, !isJson, nowMillis);
  }

  /**
   * Reads the upload of a request whose form is known.
   *
   * @param isForm whether it is parameters, of the URI or of a form, rather than a body
   * @param nowMillis when the request arrived, epoch ms
   */
  Upload read(Exchange exchange, boolean isForm, long nowMillis) {
    return read(exchange, isForm, false, nowMillis);
  }

  /**
   * Reads the upload of a request in a declared format: a form that was sent counts before the
   * parameters of the URI, which may be there for another purpose.
   */
  Upload readDeclared(Exchange exchange, boolean isForm, long nowMillis) {
    return read(exchange, isForm, true, nowMillis);
  }

  private Upload read(Exchange exchange, boolean isForm, boolean isBodyFirst, long nowMillis) {
    byte[] bytes = exchange.bodyBytes();
    int from = exchange.bodyOffset();
    int length = exchange.bodyLength();
    json = !isForm;
    body = true;
    if (isForm) {
      // The bytes as they were sent: the head holds a character for each of them.
      byte[] query =
          exchange
              .keyNames()
              .withoutKey(exchange.queryString().getBytes(StandardCharsets.ISO_8859_1));
      boolean isSent = length > 0 && (isBodyFirst || exchange.bodyFault() != null);
      body = query.length == 0 || isSent;
      bytes =
          body
              ? exchange.keyNames().withoutKey(Arrays.copyOfRange(bytes, from, from + length))
              : query;
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
}

package gilmok.http;

import gilmok.observe.FieldLog;
import gilmok.observe.FieldLog.Field;
import io.vertx.core.http.HttpHeaders;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * What the log of requests shows of one. A path is shown without its query, which may have a key,
 * and without the secret of a customer's link. All of it but numbers is as the client likes, so it
 * is cut; {@link FieldLog} sees to it that it stays one line. Stateless; on the request's event
 * loop.
 */
final class AccessFields {
  private static final double NANOS_IN_MICRO = 1e3;
  private static final double MICROS_IN_MILLI = 1e3;
  private static final int METHOD_CHARS_MAX = 20;
  private static final int PATH_CHARS_MAX = 300;
  private static final int AGENT_CHARS_MAX = 200;

  private static final String KEY_BEGIN = "gk_";
  private static final Pattern KEY = Pattern.compile(KEY_BEGIN + "\\w*");
  private static final Pattern LONG_WORD = Pattern.compile("([^/]{4})[^/]{20,}");

  /** What follows opens a delivery's page, also where a proxy has put something before it. */
  private static final String SECRET_AFTER = "/track/";

  private AccessFields() {}

  /**
   * The fields of a request.
   *
   * @param nanos from the end of its head to its answer
   * @param sent bytes of its answer; 0 for a streamed one
   */
  static List<Field> of(HttpRequest request, int status, long nanos, int sent) {
    Route route = request.route;
    List<Field> fields = new ArrayList<>();
    fields.add(new Field("method", cut(request.head.method().name(), METHOD_CHARS_MAX)));
    fields.add(new Field("path", shown(request.path, route != null)));
    if (route != null) {
      fields.add(new Field("route", route.path()));
    }
    fields.add(new Field("status", status));
    fields.add(new Field("ms", Math.round(nanos / NANOS_IN_MICRO) / MICROS_IN_MILLI));
    fields.add(new Field("received", request.received()));
    fields.add(new Field("sent", sent));
    fields.add(new Field("key", request.callerKey()));
    InetAddress client = request.clientAddress();
    if (client != null) {
      fields.add(new Field("client", client.getHostAddress()));
    }
    String agent = request.head.getHeader(HttpHeaders.USER_AGENT);
    if (agent != null) {
      fields.add(new Field("agent", cut(withoutKeys(agent), AGENT_CHARS_MAX)));
    }
    return fields;
  }

  /**
   * A path without what may be a secret.
   *
   * @param isKnown whether a route has it; in others a word that is long may be anything
   */
  static String shown(String path, boolean isKnown) {
    int secret = path.indexOf(SECRET_AFTER);
    if (secret >= 0) {
      return cut(path.substring(0, secret + SECRET_AFTER.length()), PATH_CHARS_MAX) + '…';
    }
    String safe = isKnown ? path : LONG_WORD.matcher(path).replaceAll("$1…");
    return cut(withoutKeys(safe), PATH_CHARS_MAX);
  }

  private static String withoutKeys(String text) {
    return text.contains(KEY_BEGIN) ? KEY.matcher(text).replaceAll(KEY_BEGIN + "…") : text;
  }

  private static String cut(String text, int most) {
    return text.length() <= most ? text : text.substring(0, most) + '…';
  }
}

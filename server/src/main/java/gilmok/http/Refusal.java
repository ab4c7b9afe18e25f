package gilmok.http;

import gilmok.auth.Denial;
import org.jspecify.annotations.Nullable;

/**
 * All reasons for which the server refuses a request, each with its status, its counter, and one
 * line for the client in English and in Korean. A refusal is a value: it costs no exception and no
 * log line.
 */
public enum Refusal {
  MALFORMED(400, "malformed", "This is not HTTP.", "올바른 HTTP 요청이 아닙니다."),
  UNREADABLE(400, "unreadable", "The body cannot be read.", "본문을 읽을 수 없습니다."),
  INVALID(400, "invalid", "Nothing in the request is valid.", "요청에 유효한 항목이 없습니다."),
  KEY_MISSING(
      401,
      "key-missing",
      "Send a key: X-Api-Key or Authorization; on phones' URLs ?key= as well.",
      "키를 보내 주세요: X-Api-Key 또는 Authorization, 휴대폰 경로에서는 ?key=도 됩니다."),
  KEY_UNKNOWN(401, "key-unknown", "This key is not valid here.", "유효하지 않은 키입니다."),
  KEY_EXPIRED(401, "key-expired", "This key has expired.", "만료된 키입니다."),
  KEY_IN_QUERY(
      400,
      "key-in-query",
      "Only phones send their key in the URL. Send X-Api-Key or Authorization.",
      "URL의 키는 휴대폰 경로에서만 쓸 수 있습니다. X-Api-Key 또는 Authorization으로 보내 주세요."),
  WRONG_KEYS(
      429,
      "wrong-keys",
      "This address has sent too many wrong keys. A good key is answered.",
      "이 주소에서 잘못된 키를 너무 많이 보냈습니다. 올바른 키에는 응답합니다."),
  FOREIGN_PAGE(
      403,
      "foreign-page",
      "A page of another origin asked. A session is for our own pages only.",
      "다른 출처의 페이지가 보낸 요청입니다. 세션은 이 서버의 페이지에서만 쓸 수 있습니다."),
  SCOPE_MISSING(
      403, "scope-missing", "The key lacks the scope this route needs.", "이 경로에 필요한 권한이 키에 없습니다."),
  NOT_YOURS(403, "not-yours", "The key is bound to somebody else.", "다른 대상이 지정된 키입니다."),
  NOT_FOUND(404, "not-found", "There is nothing here.", "찾을 수 없습니다."),
  METHOD_NOT_ALLOWED(
      405, "method-not-allowed", "This path does not take that method.", "이 경로에서 허용되지 않는 메서드입니다."),
  CONFLICT(409, "conflict", "The request does not fit the present state.", "현재 상태와 맞지 않는 요청입니다."),
  PRECONDITION_FAILED(
      412,
      "precondition-failed",
      "It has changed since it was read: If-Match names another version.",
      "읽은 뒤에 변경되었습니다: If-Match의 버전이 현재 버전과 다릅니다."),
  GONE(410, "gone", "This is no longer available.", "더 이상 사용할 수 없습니다."),
  TOO_LARGE(413, "too-large", "The body is over the limit.", "본문이 한도를 넘었습니다."),
  MEDIA_TYPE(
      415,
      "media-type",
      "The body's type or encoding is not supported.",
      "지원하지 않는 본문 형식 또는 인코딩입니다."),
  PATH_TOO_LONG(414, "path-too-long", "The request line is over the limit.", "요청 줄이 한도를 넘었습니다."),
  OTHER_NODE(421, "other-node", "Another node of the fleet has this.", "다른 노드에 있습니다."),
  BODY_DIFFERS(
      422,
      "body-differs",
      "This Idempotency-Key came with another body.",
      "이미 다른 본문과 함께 사용된 Idempotency-Key입니다."),
  RANGE(416, "range", "The file has no such part.", "파일에 없는 범위입니다."),
  HEAD_TOO_LARGE(431, "head-too-large", "The headers are over the limit.", "요청 헤더가 한도를 넘었습니다."),
  TOO_FAST(
      429,
      "too-fast",
      "The key is over its rate. Try again later.",
      "키의 요청 한도를 넘었습니다. 잠시 후 다시 시도해 주세요."),
  BROKEN(500, "broken", "The server failed at this request. It is our fault.", "서버 오류가 발생했습니다."),
  BUSY(
      503,
      "busy",
      "The server has more than it can take. Try again later.",
      "서버가 혼잡합니다. 잠시 후 다시 시도해 주세요."),
  OVERLOADED(
      503,
      "overloaded",
      "More comes than the server can answer in time. Try again later.",
      "제때 응답할 수 있는 것보다 많은 요청이 들어오고 있습니다. 잠시 후 다시 시도해 주세요."),
  NO_ROOM(
      503, "no-room", "The log has no room. Try again later.", "로그에 남은 공간이 없습니다. 잠시 후 다시 시도해 주세요."),
  SINK_AWAY(
      503,
      "sink-away",
      "The sink that acknowledges does not answer. Try again later.",
      "수신을 확인해 주는 싱크가 응답하지 않습니다. 잠시 후 다시 시도해 주세요."),
  WARMING(
      503,
      "warming",
      "The server has just started and warms up. Try again in a moment.",
      "서버가 시작되어 준비 중입니다. 잠시 후 다시 시도해 주세요."),
  STOPPING(
      503,
      "stopping",
      "The server is stopping. Try another or try again.",
      "서버가 종료 중입니다. 다시 시도해 주세요.");

  private final int status;
  private final String label;
  private final String english;
  private final String korean;

  Refusal(int status, String label, String english, String korean) {
    this.status = status;
    this.label = label;
    this.english = english;
    this.korean = korean;
  }

  /** The HTTP status. */
  public int status() {
    return status;
  }

  /** The name of its counter, and of its problem type. */
  public String label() {
    return label;
  }

  /** The refusal for a key that was denied. */
  public static Refusal of(Denial denial) {
    return switch (denial) {
      case MISSING -> KEY_MISSING;
      case UNKNOWN -> KEY_UNKNOWN;
      case NOT_SEEN, VERIFYING, CROWDED -> BUSY;
      case EXPIRED -> KEY_EXPIRED;
      case TOO_FAST -> TOO_FAST;
    };
  }

  /**
   * The field that is named when the caller of {@code refuse} names none; null where it is not the
   * client's fault.
   */
  @Nullable String field() {
    return switch (this) {
      case MALFORMED -> "request";
      case UNREADABLE, INVALID, TOO_LARGE -> "body";
      case KEY_MISSING, KEY_UNKNOWN, KEY_EXPIRED, SCOPE_MISSING, NOT_YOURS, TOO_FAST -> "key";
      case KEY_IN_QUERY, WRONG_KEYS -> "key";
      case FOREIGN_PAGE -> "Origin";
      case NOT_FOUND, OTHER_NODE, GONE, PATH_TOO_LONG -> "path";
      case METHOD_NOT_ALLOWED -> "method";
      case MEDIA_TYPE -> "Content-Type";
      case BODY_DIFFERS -> "Idempotency-Key";
      case PRECONDITION_FAILED -> "If-Match";
      case RANGE -> "Range";
      case HEAD_TOO_LARGE -> "headers";
      case CONFLICT, BROKEN, BUSY, OVERLOADED, NO_ROOM, SINK_AWAY, WARMING, STOPPING -> null;
    };
  }

  /** The reason that is given when the caller of {@code refuse} gives none, in a few words. */
  @Nullable String reason() {
    return switch (this) {
      case MALFORMED -> "not HTTP";
      case UNREADABLE -> "unreadable";
      case INVALID -> "nothing valid in it";
      case KEY_MISSING -> "none was sent";
      case KEY_UNKNOWN -> "unknown, revoked or wrong";
      case KEY_EXPIRED -> "expired";
      case SCOPE_MISSING -> "lacks the scope";
      case NOT_YOURS -> "bound to somebody else";
      case TOO_FAST -> "over its rate";
      case KEY_IN_QUERY -> "in the URL, where logs and proxies keep it";
      case WRONG_KEYS -> "unknown, revoked or wrong, like many before it";
      case FOREIGN_PAGE -> "not a page of this server";
      case NOT_FOUND -> "no such path";
      case OTHER_NODE -> "of another node";
      case GONE -> "no longer kept";
      case PATH_TOO_LONG, HEAD_TOO_LARGE, TOO_LARGE -> "over the limit";
      case METHOD_NOT_ALLOWED -> "not allowed on this path";
      case MEDIA_TYPE -> "not supported";
      case RANGE -> "beyond the end";
      case BODY_DIFFERS -> "was used with another body";
      case PRECONDITION_FAILED -> "it has another version";
      case CONFLICT, BROKEN, BUSY, OVERLOADED, NO_ROOM, SINK_AWAY, WARMING, STOPPING -> null;
    };
  }

  /** The status's reason phrase. */
  String title() {
    return switch (status) {
      case 400 -> "Bad Request";
      case 401 -> "Unauthorized";
      case 403 -> "Forbidden";
      case 404 -> "Not Found";
      case 405 -> "Method Not Allowed";
      case 409 -> "Conflict";
      case 410 -> "Gone";
      case 412 -> "Precondition Failed";
      case 413 -> "Content Too Large";
      case 414 -> "URI Too Long";
      case 415 -> "Unsupported Media Type";
      case 416 -> "Range Not Satisfiable";
      case 421 -> "Misdirected Request";
      case 422 -> "Unprocessable Content";
      case 429 -> "Too Many Requests";
      case 431 -> "Request Header Fields Too Large";
      case 500 -> "Internal Server Error";
      case 503 -> "Service Unavailable";
      default -> "Error";
    };
  }

  /** The line for the client, in English. */
  public String english() {
    return english;
  }

  /** The line for the client, in Korean. */
  public String korean() {
    return korean;
  }
}

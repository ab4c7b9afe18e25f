package gilmok.docs;

import gilmok.http.Refusal;

/** The page that problem types link to: every refusal with its status and what to do next. */
final class ErrorsPage {
  private ErrorsPage() {}

  static byte[] bytes() {
    HtmlWriter html = new HtmlWriter();
    html.raw("<header>").element("h1", "Gilmok: refusals");
    html.prose(
        """
        A refusal is `application/problem+json` (RFC 9457). Its `type` points to a line below; `field` and `reason`
        name what is wrong where one thing is. `429` and `503` carry a `Retry-After` in seconds.

        For a phone: 2xx, forget it; 401, 403, 429, 5xx or no answer, keep it and come again later; 400, 413, 415, drop
        it. Sending again is always safe: a repeat is recognised.

        The other pages: [the API](/docs).
        """);
    html.raw("</header>\n<div class=\"wide\"><table>\n<tr><th>Name<th>Status<th>It says<th>Next");
    html.raw("</tr>\n");
    for (Refusal refusal : Refusal.values()) {
      html.raw("<tr id=\"" + HtmlWriter.escaped(refusal.label()) + "\"><td>");
      html.element("code", refusal.label()).raw("</td><td>");
      html.text(Integer.toString(refusal.status())).raw("</td><td>");
      html.text(refusal.english()).raw("<br><span lang=\"ko\">").text(refusal.korean());
      html.raw("</span></td><td>").line(next(refusal)).raw("</td></tr>\n");
    }
    html.raw("</table></div>\n");
    return DocsPage.bytes("Gilmok: refusals", html.toString());
  }

  /** What a client should do after a refusal; docs/errors.md says the same. */
  static String next(Refusal refusal) {
    return switch (refusal) {
      case MALFORMED -> "Mend the client; do not send it again";
      case UNREADABLE, INVALID -> "Drop it or mend it";
      case KEY_MISSING -> "Send one; keep the data";
      case KEY_UNKNOWN, KEY_EXPIRED -> "Get a new key; keep the data";
      case KEY_IN_QUERY -> "Mend the client: send the key in a header";
      case WRONG_KEYS -> "Get a good key; keep the data";
      case FOREIGN_PAGE -> "Open the page of this server itself; scripts send a key, not a session";
      case SCOPE_MISSING -> "Use another key";
      case NOT_YOURS -> "Send only one's own";
      case NOT_FOUND -> "Check URL and id; a rider without a position yet is also a 404";
      case OTHER_NODE -> "Ask the node that `reason` names";
      case GONE -> "Look where it was shipped to";
      case METHOD_NOT_ALLOWED -> "Mend the client";
      case BODY_DIFFERS -> "Mend the client: one key for each thing to create or step to make";
      case PRECONDITION_FAILED -> "Read it again, then decide";
      case CONFLICT -> "Look at the state, then decide";
      case TOO_LARGE -> "Send smaller batches";
      case PATH_TOO_LONG -> "Shorten the query; send a body";
      case MEDIA_TYPE -> "Send `application/json` or `application/x-ndjson`";
      case RANGE -> "Ask for a part within the length that `Content-Range` names";
      case HEAD_TOO_LARGE -> "Send fewer or shorter headers";
      case TOO_FAST -> "Keep the data, wait for `Retry-After`, send again";
      case BROKEN -> "Keep the data, send again later";
      case BUSY -> "Keep the data, wait for `Retry-After`, send again";
      case OVERLOADED -> "As `busy`. The operator: `gilmok capacity` says what the server can take";
      case NO_ROOM -> "As `busy`. The operator: look at the sinks and the disk";
      case SINK_AWAY ->
          "As `busy`. The operator: look at that sink, or set `collect.ack-else: disk`";
      case WARMING -> "Send again; it takes some seconds";
      case STOPPING -> "Send again; another node or the next start takes it";
    };
  }
}

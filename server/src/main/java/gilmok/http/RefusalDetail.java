package gilmok.http;

import gilmok.auth.Scope;
import org.jspecify.annotations.Nullable;

/** Which field of a request was refused, and why, as far as its head and its route tell. */
record RefusalDetail(String field, String reason) {
  /**
   * Finds the detail of a refusal; null where there is none beside its kind.
   *
   * @param wrongQuery what is wrong with the names in the query; null when nothing is
   */
  static @Nullable RefusalDetail of(
      Refusal refusal, HttpRequest request, @Nullable QueryCheck wrongQuery) {
    if (refusal == Refusal.INVALID && wrongQuery != null) {
      return new RefusalDetail(wrongQuery.field(), wrongQuery.reason());
    }
    Route route = request.route;
    if (refusal == Refusal.MEDIA_TYPE) {
      return route != null && !route.bodyType().takes(request.contentType())
          ? new RefusalDetail("Content-Type", "send " + route.bodyType().label())
          : new RefusalDetail("Content-Encoding", "send gzip, zstd or none");
    }
    if (refusal == Refusal.TOO_LARGE && route != null) {
      return new RefusalDetail(
          "body",
          route.isWithoutBody()
              ? "no body is taken here, except for {}"
              : "over " + route.bodyBytesMax() + " bytes unpacked");
    }
    Scope scope = route == null ? null : route.scope();
    return refusal == Refusal.SCOPE_MISSING && scope != null
        ? new RefusalDetail("key", "lacks the scope " + scope.label())
        : null;
  }
}

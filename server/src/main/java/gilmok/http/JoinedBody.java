package gilmok.http;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.CompositeByteBuf;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.internal.buffer.BufferInternal;

/**
 * Sends a body of several arrays, copied once into a pooled buffer that the socket takes as it is.
 * The transport would join them in a new array first, and copy that one. Belongs to the
 * connection's event loop.
 */
final class JoinedBody {
  private JoinedBody() {}

  /** Ends the response with these parts, one behind the other. */
  static void end(HttpServerResponse response, ByteBufAllocator pool, CompositeByteBuf parts) {
    ByteBuf joined = pool.directBuffer(parts.readableBytes());
    boolean isGiven = false;
    try {
      parts.forEach(joined::writeBytes);
      // The framework tells of the end, also when the client is gone, but does not release it.
      response.end(BufferInternal.buffer(joined)).onComplete(_ -> joined.release());
      isGiven = true;
    } finally {
      if (!isGiven) {
        joined.release();
      }
    }
  }
}

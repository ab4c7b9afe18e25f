package gilmok.pages;

import gilmok.http.Exchange;
import gilmok.http.Offload;
import gilmok.http.Refusal;
import gilmok.http.ReplyRoom;
import gilmok.http.ReplyStream;
import java.io.Closeable;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * {@code GET /map/tiles.pmtiles}: the file that {@code map.tiles-file} names, in the ranges that
 * the pages ask for, and no other file. Thread-safe; {@link #take} for one thread at a time.
 */
final class TileFile implements Closeable {
  static final String PATH = "/map/tiles.pmtiles";

  /** A longer range is answered with its beginning, as RFC 9110 allows. No tile is as long. */
  static final int RANGE_BYTES_MAX = 1 << 20;

  private static final Logger LOG = System.getLogger("gilmok.pages");
  private static final String TYPE = "application/vnd.pmtiles";
  private static final int PIECE_BYTES = 64 << 10;
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private final Offload offload;
  private volatile @Nullable TileArchive archive;

  TileFile(@Nullable Path file, Offload offload) throws IOException {
    this.offload = offload;
    archive = file == null ? null : TileArchive.open(file);
  }

  /** The file in use; null for none. */
  @Nullable TileArchive archive() {
    return archive;
  }

  /**
   * Uses another file, or the same one if it has changed. One that cannot be used changes nothing;
   * the log says so. Requests that are reading the old one get 503.
   */
  void take(@Nullable Path file) {
    TileArchive old = archive;
    try {
      if (file != null && old != null && old.isStill(file)) {
        return;
      }
      if (file != null || old != null) {
        archive = file == null ? null : TileArchive.open(file);
        LOG.log(
            Level.INFO,
            "map.tiles-file: {0} is what the map shows now",
            file == null ? "none" : file);
      }
    } catch (IOException unusable) {
      LOG.log(Level.ERROR, "map.tiles-file: not changed, as {0}", unusable.getMessage());
      return;
    }
    close(old);
  }

  private static void close(@Nullable TileArchive old) {
    try {
      if (old != null) {
        old.close();
      }
    } catch (IOException atLeastUnused) {
      LOG.log(Level.DEBUG, "the former tiles of the map could not be closed", atLeastUnused);
    }
  }

  /** Closes the file; requests that are reading it get 503. */
  @Override
  public void close() {
    close(archive);
  }

  /** Answers a request. On an event loop: does not block. */
  void answer(Exchange exchange) {
    TileArchive now = archive;
    if (now == null) {
      exchange.refuse(Refusal.NOT_FOUND, "map.tiles-file", "the map has no tiles of its own");
      return;
    }
    String tag = '"' + now.tag() + '"';
    exchange.replyHeader("Accept-Ranges", "bytes");
    exchange.replyHeader("Cache-Control", "public, max-age=86400");
    exchange.replyHeader("Cross-Origin-Resource-Policy", "same-origin");
    exchange.replyHeader("ETag", tag);
    exchange.replyHeader("X-Content-Type-Options", "nosniff");
    String known = exchange.header("if-none-match");
    if (known != null && known.contains(tag)) {
      exchange.reply(304);
    } else if (exchange.method().equals("HEAD")) { // RFC 9110: a range counts for GET alone
      exchange.replyHeader("Content-Length", Long.toString(now.size()));
      exchange.reply(200, TYPE, new byte[0]);
    } else {
      send(exchange, now, tag);
    }
  }

  private void send(Exchange exchange, TileArchive now, String tag) {
    String only = exchange.header("if-range");
    boolean isOfThis = only == null || only.equals(tag);
    ByteRange asked = isOfThis ? ByteRange.of(exchange.header("range"), now.size()) : null;
    if (asked == null) {
      offload.stream(exchange, TYPE, reply -> write(now, reply));
    } else if (asked.isThere()) {
      ByteRange sent = asked.cut(RANGE_BYTES_MAX);
      offload.ask(
          exchange,
          () -> {
            byte[] bytes = now.read(sent.from(), (int) sent.length());
            return answering ->
                answering.execute(
                    () -> {
                      answering.replyHeader("Content-Range", sent.of(now.size()));
                      answering.reply(206, TYPE, bytes);
                    });
          });
    } else {
      exchange.replyHeader("Content-Range", "bytes */" + now.size());
      exchange.refuse(Refusal.RANGE, "Range", "the file has " + now.size() + " bytes");
    }
  }

  /** Writes all of it, as fast as the client reads. */
  private static boolean write(TileArchive archive, ReplyStream reply)
      throws IOException, InterruptedException {
    for (long from = 0; from < archive.size(); from += PIECE_BYTES) {
      if (!ReplyRoom.await(reply, PATIENCE)) {
        return false;
      }
      reply.write(archive.read(from, (int) Math.min(PIECE_BYTES, archive.size() - from)));
    }
    return true;
  }
}

package gilmok.backup;

import gilmok.audit.Actor;
import gilmok.audit.Audit;
import gilmok.audit.AuditAction;
import gilmok.audit.AuditEntry;
import gilmok.auth.Scope;
import gilmok.collect.json.Fields;
import gilmok.event.JsonBuffer;
import gilmok.http.Answer;
import gilmok.http.Exchange;
import gilmok.http.Offload;
import gilmok.http.Offloads;
import gilmok.http.OwnershipRule;
import gilmok.http.Priority;
import gilmok.http.Refusal;
import gilmok.http.ReplyStream;
import gilmok.http.Route;
import gilmok.http.StreamOutput;
import gilmok.log.SegmentFiles;
import java.io.IOException;
import java.io.InputStream;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The routes by which {@code gilmok backup} copies a running server. Only keys with the scope
 * {@code admin} may: secrets are in it. Reading is left to {@link Offload}, whose few places leave
 * the disk to others.
 */
public final class BackupRoutes {
  private static final Logger LOG = System.getLogger("gilmok.backup");
  private static final String PATH = "/v1/backup";
  private static final int IN_FLIGHT_MAX = 4;
  private static final int PIECE_BYTES = 256 << 10;

  /** A copy holds one read transaction, and must come to an end. */
  private static final long RATE_MIN = 1_000_000;

  private static final long RATE_USUAL = 64L << 20;
  private static final long RATE_MAX = 1L << 40;
  private static final Duration LINE_EVERY = Duration.ofMillis(500);

  private final BackupStage stage;
  private final Audit audit;
  private final String node;
  private final Offload offload;
  private final AtomicBoolean isMaking = new AtomicBoolean();

  /** The routes of one server. */
  public BackupRoutes(BackupStage stage, Audit audit, String node, Offloads offloads) {
    this.stage = stage;
    this.audit = audit;
    this.node = node;
    offload = offloads.of("backup", "no backup can be made", IN_FLIGHT_MAX, null);
  }

  /** All routes. */
  public List<Route> routes() {
    return List.of(
        route("GET", PATH + "/segments", this::ended),
        route("GET", PATH + "/segments/{first}", this::segment).queriedBy("bytes"),
        route("POST", PATH, this::make).queriedBy("bytesPerSecond"),
        route("GET", PATH + "/files/{index}", this::file),
        route("DELETE", PATH, this::drop));
  }

  private static Route route(String method, String path, Route.Handler handler) {
    OwnershipRule unbound = OwnershipRule.UNBOUND_ONLY;
    return new Route(method, path, Scope.ADMIN, unbound, Priority.REPORTS, 0, handler);
  }

  private void ended(Exchange exchange) {
    offload.ask(
        exchange,
        () -> {
          JsonBuffer out = new JsonBuffer().ascii("{\"node\":").string(node);
          out.ascii(",\"segments\":");
          BackupPoint.segments(stage.ended(), out);
          return Answer.json(out.put('}').copy());
        });
  }

  private void segment(Exchange exchange) {
    long first = Fields.digits(exchange.pathParameter("first"));
    String asked = exchange.query("bytes");
    long bytes = asked == null ? Long.MAX_VALUE : Fields.digits(asked);
    if (first < 1) {
      exchange.refuse(Refusal.INVALID, "first", "must be the first sequence of a segment");
    } else if (bytes < 1) {
      exchange.refuse(Refusal.INVALID, "bytes", "must be a whole number above 0");
    } else {
      send(exchange, SegmentFiles.path(stage.log(), first), bytes);
    }
  }

  private void file(Exchange exchange) {
    long index = Fields.digits(exchange.pathParameter("index"));
    BackupPoint point = stage.point();
    if (point == null || index < 0 || index >= point.files().size()) {
      exchange.refuse(Refusal.NOT_FOUND, "index", "no backup that is made has such a file");
    } else {
      send(exchange, point.files().get((int) index).now(), Long.MAX_VALUE);
    }
  }

  /** Streams the first bytes of a file. */
  private void send(Exchange exchange, Path path, long bytes) {
    if (!Files.exists(path)) {
      exchange.refuse(Refusal.GONE, "file", "was deleted since: make the backup again");
      return;
    }
    exchange.replyHeader("Cache-Control", "no-store");
    offload.stream(
        exchange, "application/octet-stream", reply -> write(path, bytes, new StreamOutput(reply)));
  }

  private boolean write(Path path, long bytes, StreamOutput out) throws IOException {
    byte[] piece = new byte[PIECE_BYTES];
    long left = bytes;
    try (InputStream in = Files.newInputStream(path)) {
      while (left > 0) {
        int read = in.read(piece, 0, (int) Math.min(piece.length, left));
        if (read < 0) {
          return true;
        }
        out.write(piece, 0, read);
        stage.read();
        left -= read;
      }
      return true;
    } catch (NoSuchFileException | StreamOutput.ClientGoneException gone) {
      return false;
    }
  }

  private void make(Exchange exchange) {
    String asked = exchange.query("bytesPerSecond");
    long rate = asked == null ? RATE_USUAL : Fields.digits(asked);
    if (rate < RATE_MIN || rate > RATE_MAX) {
      exchange.refuse(
          Refusal.INVALID,
          "bytesPerSecond",
          "must be a number from " + RATE_MIN + " to " + RATE_MAX);
    } else {
      Actor actor = Actor.of(exchange);
      exchange.replyHeader("Cache-Control", "no-store");
      offload.stream(exchange, "application/x-ndjson", reply -> made(reply, rate, actor));
    }
  }

  private boolean made(ReplyStream reply, long rate, Actor actor) throws InterruptedException {
    JsonBuffer line = new JsonBuffer();
    if (!isMaking.compareAndSet(false, true)) {
      fail(line, "another backup is being made");
      reply.write(line.copy());
      return true;
    }
    try {
      AuditEntry entry = new AuditEntry(AuditAction.BACKUP_MADE, actor, node, null, null);
      Callable<BackupPoint> making = () -> audit.change(entry, () -> stage.make(rate));
      BackupPoint point = followed(reply, new FutureTask<>(making));
      line.ascii("{\"point\":");
      point.write(line);
      line.ascii("}\n");
      LOG.log(
          Level.INFO,
          "a copy for a backup is made for the key {0}, through sequence {1}, {2} bytes beside the"
              + " log",
          actor.keyId(),
          String.valueOf(point.segments().through()),
          stage.bytes());
    } catch (ExecutionException failed) {
      String reason = String.valueOf(failed.getCause());
      LOG.log(Level.WARNING, "no copy for a backup could be made: {0}", reason);
      fail(line, reason);
    } finally {
      isMaking.set(false);
    }
    reply.write(line.copy());
    return true;
  }

  private static void fail(JsonBuffer line, String reason) {
    line.ascii("{\"failed\":").string(reason).ascii("}\n");
  }

  /** Waits for the copy, and tells how far it is. */
  private BackupPoint followed(ReplyStream reply, FutureTask<BackupPoint> making)
      throws InterruptedException, ExecutionException {
    Thread thread = BackupStage.begin(making);
    while (true) {
      try {
        return making.get(LINE_EVERY.toMillis(), TimeUnit.MILLISECONDS);
      } catch (TimeoutException stillAtWork) {
        if (reply.isEnded()) {
          thread.interrupt(); // nobody will read the copy: let it end soon
        } else {
          JsonBuffer line = new JsonBuffer().ascii("{\"copied\":").number(stage.copied());
          reply.write(line.ascii(",\"of\":").number(stage.all()).ascii("}\n").copy());
        }
      }
    }
  }

  private void drop(Exchange exchange) {
    if (isMaking.get()) {
      exchange.refuse(Refusal.CONFLICT, "backup", "is being made");
      return;
    }
    offload.ask(
        exchange,
        () -> {
          stage.drop();
          return Answer.empty(204);
        });
  }
}

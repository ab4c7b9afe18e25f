package gilmok.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * Imports sources, one after the other: reads a batch, sends it, notes how far it has come. An
 * interrupt ends it after the batch. Not thread-safe.
 */
final class ImportRun implements AutoCloseable {
  private static final Set<String> STREAMS = Set.of("traces", "actions", "logs");

  /** The server's places for imports. */
  private static final int IN_FLIGHT_MAX = 4;

  private final Target target;
  private final HttpClient client;
  private final ImportPace pace;
  private final Duration patience;
  private final boolean isAgain;
  private final PrintWriter out;
  private final PrintWriter err;
  private final StoppableWatch watch = new StoppableWatch();
  private final CountDownLatch ended = new CountDownLatch(1);

  /** Files of rejects that this run has begun: those of several sources may be one. */
  private final Set<Path> begunRejects = new HashSet<>();

  private final Thread hook;

  /**
   * @param isAgain whether what an interrupted import has noted is forgotten
   */
  ImportRun(
      Target target,
      ImportPace pace,
      Duration patience,
      boolean isAgain,
      PrintWriter out,
      PrintWriter err) {
    this.target = target;
    this.client = target.client();
    this.pace = pace;
    this.patience = patience;
    this.isAgain = isAgain;
    this.out = out;
    this.err = err;
    hook = Thread.ofPlatform().unstarted(this::stop);
    Runtime.getRuntime().addShutdownHook(hook);
  }

  /** Whether somebody has interrupted it. */
  boolean isStopped() {
    return watch.isStopped();
  }

  private void stop() {
    watch.stop();
    try {
      boolean _ = ended.await(10, TimeUnit.SECONDS); // the batch that was sent is noted first
    } catch (InterruptedException hurried) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    client.shutdownNow();
    ended.countDown();
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException stopping) {
      // The hook is running now, and cannot be removed.
    }
  }

  /**
   * Imports a source.
   *
   * @param noted the file of its state; null for none
   * @param rejects the file for what is not taken
   * @param known what the source must be, if an export has written it; else null
   * @return whether the server has all of it as it is in the source
   */
  boolean run(
      String dataset,
      ImportSource source,
      @Nullable Path noted,
      Path rejects,
      ExportManifest.@Nullable Entry known)
      throws IOException, InterruptedException {
    ImportTotals totals = new ImportTotals();
    ImportState state =
        noted == null ? null : new ImportState(noted, dataset + " at " + target.base());
    ImportPlace place = new ImportPlace(target.base());
    boolean isBegun = state != null && resume(state, source, totals, place);
    if (begunRejects.add(rejects.toAbsolutePath()) && !isBegun) {
      Files.deleteIfExists(rejects);
    }
    send(dataset, source, new Notes(state, rejects, place), totals);
    totals.lines(dataset, STREAMS.contains(dataset)).forEach(out::println);
    if (watch.isStopped()) {
      out.println("interrupted; the same command goes on from here");
      return false;
    }
    if (state != null) {
      state.delete();
    }
    boolean isWhole = totals.isWhole() && isAsExported(totals, known);
    if (!totals.isWhole() && Files.exists(rejects)) {
      out.println("what was not taken, with field and reason: " + rejects);
    }
    out.flush();
    return isWhole;
  }

  /**
   * What is noted while an import goes on.
   *
   * @param state how far it is; null for standard input
   * @param rejects the file for what is not taken
   * @param place where everything went
   */
  private record Notes(@Nullable ImportState state, Path rejects, ImportPlace place) {}

  /**
   * A batch that was sent, and what the server has said of its parts.
   *
   * @param position how far the source was read with it
   * @param least how far the server's log had come before
   */
  private record Sent(ImportBatch batch, String position, long least, Future<Answered> replies) {}

  /**
   * What the server has said of a batch's parts.
   *
   * @param parts null if everything is to stop
   */
  private record Answered(@Nullable List<Part> parts, long tookNanos) {}

  /** A batch, or a part of it, and the answer. */
  private record Part(ImportBatch batch, ImportReply reply) {}

  /**
   * Sends everything, some batches at a time, so that they share the commits of the storage. What
   * is noted is always a beginning of the source.
   */
  private void send(String dataset, ImportSource source, Notes notes, ImportTotals totals)
      throws IOException, InterruptedException {
    AtomicLong read = new AtomicLong(totals.read());
    AtomicLong retries = new AtomicLong();
    long begin = System.nanoTime();
    long before = totals.read();
    Queue<Sent> inFlight = new ArrayDeque<>();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
        ProgressLine progress =
            new ProgressLine(
                err, () -> line(dataset, read.get(), read.get() - before, begin, source))) {
      RetryingSender sender =
          new RetryingSender(
              client,
              target,
              patience,
              watch,
              RandomGenerator.getDefault(),
              retries::incrementAndGet,
              progress::notice);
      boolean isMore = true;
      while (isMore || !inFlight.isEmpty()) {
        isMore = isMore && !watch.isStopped();
        if (isMore && inFlight.size() < IN_FLIGHT_MAX) {
          ImportBatch batch = new ImportBatch(dataset.equals("actions"));
          isMore = source.next(batch);
          if (isMore) {
            inFlight.add(
                new Sent(
                    batch,
                    source.position(),
                    notes.place.sequence(),
                    threads.submit(() -> answered(sender, dataset, batch))));
          }
          continue;
        }
        Sent oldest = Objects.requireNonNull(inFlight.poll());
        Answered answered = awaited(oldest.replies);
        List<Part> parts = answered.parts;
        if (parts == null) {
          break; // interrupted: what was not answered is sent again
        }
        for (Part part : parts) {
          notes.place.check(part.reply.place(), oldest.least);
          totals.add(part.batch, part.reply);
        }
        totals.addUnsent(oldest.batch.unsent());
        note(oldest.batch, notes.rejects, totals);
        read.set(totals.read());
        if (notes.state != null) {
          notes.state.write(oldest.position, totals, notes.place);
        }
        boolean _ = watch.rest(pace.restNanos(oldest.batch.size(), answered.tookNanos));
      }
    }
  }

  private Answered answered(RetryingSender sender, String dataset, ImportBatch batch)
      throws InterruptedException {
    long begin = System.nanoTime();
    return new Answered(send(sender, dataset, batch), System.nanoTime() - begin);
  }

  private static Answered awaited(Future<Answered> replies)
      throws IOException, InterruptedException {
    try {
      return replies.get();
    } catch (ExecutionException failed) {
      switch (failed.getCause()) {
        case CommandFailure refused -> throw refused;
        case IOException broken -> throw broken;
        case null, default -> throw new IllegalStateException(failed);
      }
    }
  }

  private boolean resume(
      ImportState state, ImportSource source, ImportTotals totals, ImportPlace place)
      throws IOException {
    JsonNode known = isAgain ? null : state.read();
    if (known == null) {
      state.delete();
      return false;
    }
    source.resume(known.path("position").asString(""));
    totals.resume(known);
    place.resume(known);
    out.printf("going on after %,d records%n", totals.read());
    return true;
  }

  private String line(String dataset, long read, long fresh, long begin, ImportSource source) {
    double seconds = (System.nanoTime() - begin) / 1e9;
    double share = source.progress();
    return "%s: %,d records%s, %,.0f a second"
        .formatted(
            dataset, read, share < 0 ? "" : ", %.0f %%".formatted(100 * share), fresh / seconds);
  }

  /** Sends a batch; null when everything is to stop. */
  private @Nullable List<Part> send(RetryingSender sender, String dataset, ImportBatch batch)
      throws InterruptedException {
    if (batch.size() == 0) {
      return List.of();
    }
    boolean isStream = STREAMS.contains(dataset);
    String path = (isStream ? "/v1/" : "/v1/imports/") + dataset;
    HttpResponse<byte[]> response =
        sender.post(path, "application/x-ndjson", batch.body(), batch.where());
    if (response == null) {
      return null;
    }
    int status = response.statusCode();
    if (isStream && status == 400) {
      return sendParts(sender, dataset, batch, response);
    }
    if (status / 100 != 2) {
      throw new CommandFailure(
          batch.where() + ": " + target.refusal(status, ServerProblem.of(response.body())));
    }
    ImportReply reply = ImportReply.of(response.body(), batch.size());
    if (reply == null) {
      throw new CommandFailure(
          "%s: the answer is no account of %d records; is a Gilmok server at %s?"
              .formatted(batch.where(), batch.size(), target.base()));
    }
    reply.rejected().forEach(one -> batch.rejectSent(one.index(), one.field(), one.reason()));
    return List.of(new Part(batch, reply));
  }

  /** Of what is collected, nothing was valid: finds out what is wrong with each. */
  private @Nullable List<Part> sendParts(
      RetryingSender sender, String dataset, ImportBatch batch, HttpResponse<byte[]> refused)
      throws InterruptedException {
    if (batch.size() == 1) {
      ServerProblem problem = ServerProblem.of(refused.body());
      batch.rejectSent(0, problem.field(), problem.reason());
      return List.of(new Part(batch, ImportReply.NOTHING));
    }
    List<Part> parts = new ArrayList<>();
    for (ImportBatch half : batch.halves()) {
      List<Part> some = send(sender, dataset, half);
      if (some == null) {
        return null;
      }
      parts.addAll(some);
      batch.takeRejects(half);
    }
    return parts;
  }

  private static void note(ImportBatch batch, Path rejects, ImportTotals totals)
      throws IOException {
    if (batch.rejects().isEmpty()) {
      return;
    }
    totals.reject(batch.rejects().size());
    try (Writer writer =
        Files.newBufferedWriter(rejects, StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
      for (ImportBatch.Reject one : batch.rejects()) {
        ObjectNode json = JsonMapper.shared().createObjectNode();
        json.put("line", one.number());
        json.put("field", one.field());
        json.put("reason", one.reason());
        json.put("record", one.text());
        writer.write(json + "\n");
      }
    }
  }

  /** Whether what an export has written has arrived as it was. */
  private boolean isAsExported(ImportTotals totals, ExportManifest.@Nullable Entry known) {
    if (known == null) {
      return true;
    }
    if (totals.read() != known.records() || totals.sent() != known.sum()) {
      out.println("the file is not as it was exported: its manifest has another number or sum");
      return false;
    }
    boolean isStream = STREAMS.contains(known.dataset());
    if (!isStream && totals.isWhole() && !totals.isAsSent()) {
      out.println("the server keeps other values than the file has: compare the sums");
      return false;
    }
    out.println(
        isStream
            ? "all of it was taken, as the manifest has it"
            : "all as it was exported: the numbers and sums are those of the manifest");
    return true;
  }
}

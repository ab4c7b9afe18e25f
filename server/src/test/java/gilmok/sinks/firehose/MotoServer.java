package gilmok.sinks.firehose;

import gilmok.Repository;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;

/**
 * A Firehose and its S3 for tests: moto, which {@code .ci/moto} installs and starts on a free port
 * of loopback, or the server that {@code GILMOK_TEST_FIREHOSE_ENDPOINT} names. Without either, a
 * test fails in CI and is skipped elsewhere. It accepts any credentials.
 */
public final class MotoServer implements AutoCloseable {
  /** The region of its streams. */
  public static final String REGION = "ap-northeast-2";

  private static final long PATIENCE_MINUTES = 5;
  private static final Pattern RUNNING = Pattern.compile("Running on (http://\\S+)");
  private static final Pattern KEY = Pattern.compile("<Key>([^<]+)</Key>");

  private final HttpClient client = HttpClient.newHttpClient();
  private final @Nullable Process process;
  private final URI endpoint;

  private MotoServer(@Nullable Process process, URI endpoint) {
    this.process = process;
    this.endpoint = endpoint;
  }

  /** Starts it. The first time may take a minute, because moto is downloaded. */
  public static MotoServer start() throws IOException, InterruptedException {
    String given = System.getenv("GILMOK_TEST_FIREHOSE_ENDPOINT");
    if (given != null) {
      return new MotoServer(null, URI.create(given));
    }
    Process process =
        new ProcessBuilder(Repository.root().resolve(".ci/moto").toString(), "0")
            .redirectErrorStream(true)
            .start();
    Queue<String> said = new ConcurrentLinkedQueue<>();
    CompletableFuture<URI> started = new CompletableFuture<>();
    Thread.ofVirtual().start(() -> follow(process, said, started));
    try {
      return new MotoServer(process, started.get(PATIENCE_MINUTES, TimeUnit.MINUTES));
    } catch (ExecutionException | TimeoutException e) {
      process.destroyForcibly();
      String fault = "moto does not start: " + String.join("\n", said);
      Assumptions.assumeTrue(System.getenv("CI") != null, fault);
      throw new IOException(fault, e);
    }
  }

  /** Reads its output to the end, so that it never blocks on a full pipe. */
  private static void follow(Process process, Queue<String> said, CompletableFuture<URI> started) {
    try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        Matcher running = RUNNING.matcher(line);
        if (running.find()) {
          started.complete(URI.create(running.group(1)));
        } else if (!started.isDone()) {
          said.add(line);
        }
      }
      started.completeExceptionally(new IOException("it ended"));
    } catch (IOException | UncheckedIOException e) {
      started.completeExceptionally(e);
    }
  }

  /** The address on which it listens. */
  public URI endpoint() {
    return endpoint;
  }

  /** Makes a delivery stream and the bucket of that name to which it delivers. */
  public void createStream(String name) throws IOException, InterruptedException {
    ask(request("s3", "/" + name).PUT(BodyPublishers.noBody()));
    String stream =
        """
        {"DeliveryStreamName":"%s","DeliveryStreamType":"DirectPut",
         "ExtendedS3DestinationConfiguration":
           {"RoleARN":"arn:aws:iam::123456789012:role/moto","BucketARN":"arn:aws:s3:::%s"}}"""
            .formatted(name, name);
    ask(
        request("firehose", "/")
            .header("X-Amz-Target", "Firehose_20150804.CreateDeliveryStream")
            .header("Content-Type", "application/x-amz-json-1.1")
            .POST(BodyPublishers.ofString(stream)));
  }

  /** All lines that a stream has delivered so far, in the order of the files. */
  public List<String> lines(String stream) throws IOException, InterruptedException {
    List<String> lines = new ArrayList<>();
    for (byte[] file : files(stream)) {
      String content = new String(file, StandardCharsets.UTF_8);
      if (!content.endsWith("\n")) {
        throw new IOException("half a line at the end of a file of " + stream);
      }
      content.lines().forEach(lines::add);
    }
    return lines;
  }

  /** All bytes that a stream has delivered so far, in the order of the files. */
  public byte[] bytes(String stream) throws IOException, InterruptedException {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (byte[] file : files(stream)) {
      all.writeBytes(file);
    }
    return all.toByteArray();
  }

  private List<byte[]> files(String stream) throws IOException, InterruptedException {
    List<byte[]> files = new ArrayList<>();
    String after = "";
    while (true) {
      String listing = ask(request("s3", "/" + stream + "?list-type=2&start-after=" + after).GET());
      List<String> keys = KEY.matcher(listing).results().map(key -> key.group(1)).toList();
      if (keys.isEmpty()) {
        return files;
      }
      for (String key : keys) {
        files.add(askBytes(request("s3", "/" + stream + "/" + key).GET()));
      }
      after = keys.getLast();
    }
  }

  /**
   * Begins a request. Moto takes its service and region from the signature's scope and checks no
   * signature.
   */
  private HttpRequest.Builder request(String service, String path) {
    // In any other region, S3 needs the bucket's location in the body as well.
    String region = service.equals("s3") ? "us-east-1" : REGION;
    String scope = "any/20260101/" + region + "/" + service + "/aws4_request";
    String signed = ", SignedHeaders=host, Signature=any";
    return HttpRequest.newBuilder(endpoint.resolve(path))
        .timeout(Duration.ofSeconds(30))
        .header("Authorization", "AWS4-HMAC-SHA256 Credential=" + scope + signed);
  }

  private String ask(HttpRequest.Builder request) throws IOException, InterruptedException {
    return new String(askBytes(request), StandardCharsets.UTF_8);
  }

  private byte[] askBytes(HttpRequest.Builder request) throws IOException, InterruptedException {
    HttpResponse<byte[]> response =
        client.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
    if (response.statusCode() != 200) {
      String told = new String(response.body(), StandardCharsets.UTF_8);
      throw new IOException(response.statusCode() + ": " + told);
    }
    return response.body();
  }

  @Override
  public void close() {
    client.close();
    if (process != null) {
      process.destroy();
    }
  }
}

package gilmok.sinks.firehose;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A server with Firehose's protocol whose answers a test sets: failures that moto never produces.
 */
public final class FakeFirehose implements AutoCloseable {
  /** An answer's status and body. */
  public record Answer(int status, String body) {}

  /** No answer at all. */
  static final Answer SILENCE = new Answer(0, "");

  /** The data of each record, by call, as text. */
  private final List<List<String>> calls = new CopyOnWriteArrayList<>();

  /** The data of each record, by call, as bytes. */
  private final List<List<byte[]>> packs = new CopyOnWriteArrayList<>();

  /** The key id that each request was signed with, in the order of the requests. */
  private final List<String> keyIds = new CopyOnWriteArrayList<>();

  private final CountDownLatch silence = new CountDownLatch(1);
  private final CountDownLatch asked = new CountDownLatch(1);
  private final JsonMapper mapper = new JsonMapper();
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final Function<List<String>, Answer> answers;
  private final HttpServer server;
  private volatile @Nullable String type = "DirectPut";

  /** A server that answers each call so. */
  public FakeFirehose(Function<List<String>, Answer> answers) throws IOException {
    this.answers = answers;
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::handle);
    server.setExecutor(threads);
    server.start();
  }

  /** Answers {@code DescribeDeliveryStream} as any other call, without a type. */
  FakeFirehose withoutType() {
    type = null;
    return this;
  }

  /** The answer that accepts all records. */
  public static Answer taken(List<String> records) {
    return entries(records, "");
  }

  /** An answer with an entry for each record: an error's code, or an id where the code is empty. */
  public static Answer entries(List<String> records, String... codes) {
    List<String> entries = new ArrayList<>();
    for (int i = 0; i < records.size(); i++) {
      String code = codes[i % codes.length];
      entries.add(
          code.isEmpty()
              ? "{\"RecordId\":\"id-" + i + "\"}"
              : "{\"ErrorCode\":\"" + code + "\",\"ErrorMessage\":\"arn:aws:iam::1:role/x\"}");
    }
    return new Answer(
        200, "{\"FailedPutCount\":0,\"RequestResponses\":[" + String.join(",", entries) + "]}");
  }

  public static Answer error(int status, String code) {
    return new Answer(
        status, "{\"__type\":\"" + code + "\",\"message\":\"arn:aws:iam::1:role/x may not\"}");
  }

  void awaitACall() throws InterruptedException {
    asked.await();
  }

  public URI uri() {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
  }

  List<List<String>> calls() {
    return calls;
  }

  List<List<byte[]>> packs() {
    return packs;
  }

  List<String> keyIds() {
    return keyIds;
  }

  /** Sets the type of its stream that {@code DescribeDeliveryStream} answers. */
  FakeFirehose ofType(String told) {
    type = told;
    return this;
  }

  private void handle(HttpExchange exchange) throws IOException {
    String told = type;
    String signed = String.valueOf(exchange.getRequestHeaders().getFirst("Authorization"));
    keyIds.add(signed.replaceAll(".*Credential=([^/]*)/.*", "$1"));
    String target = String.valueOf(exchange.getRequestHeaders().getFirst("X-Amz-Target"));
    if (told != null && target.endsWith("DescribeDeliveryStream")) {
      exchange.getRequestBody().readAllBytes();
      answer(
          exchange,
          new Answer(
              200, "{\"DeliveryStreamDescription\":{\"DeliveryStreamType\":\"" + told + "\"}}"));
      return;
    }
    List<String> records = new ArrayList<>();
    List<byte[]> pack = new ArrayList<>();
    JsonNode call = mapper.readTree(exchange.getRequestBody());
    for (JsonNode record : call.path("Records")) {
      byte[] data = Base64.getDecoder().decode(record.get("Data").asString());
      pack.add(data);
      records.add(new String(data, StandardCharsets.UTF_8));
    }
    if (call.has("Records")) {
      calls.add(records);
      packs.add(pack);
    }
    asked.countDown();
    Answer answer = answers.apply(records);
    if (answer.equals(SILENCE)) {
      awaitTheEnd();
    }
    answer(exchange, answer);
  }

  private void answer(HttpExchange exchange, Answer answer) throws IOException {
    byte[] body = answer.body.getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("Content-Type", "application/x-amz-json-1.1");
    exchange.getResponseHeaders().set("x-amzn-RequestId", "call-" + calls.size());
    exchange.sendResponseHeaders(answer.status, body.length == 0 ? -1 : body.length);
    exchange.getResponseBody().write(body);
    exchange.close();
  }

  private void awaitTheEnd() throws IOException {
    try {
      silence.await();
    } catch (InterruptedException e) {
      throw new InterruptedIOException();
    }
    throw new IOException("never answered");
  }

  @Override
  public void close() {
    silence.countDown();
    server.stop(0);
    threads.shutdownNow();
  }
}

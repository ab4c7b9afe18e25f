package gilmok.accept;

import gilmok.sinks.firehose.CredentialChain;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLHandshakeException;
import software.amazon.awssdk.auth.credentials.AwsCredentials;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.http.ContentStreamProvider;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.http.SdkHttpRequest;
import software.amazon.awssdk.http.auth.aws.signer.AwsV4FamilyHttpSigner;
import software.amazon.awssdk.http.auth.aws.signer.AwsV4HttpSigner;

/**
 * Tries a bucket with small objects below a prefix: put, get, list, delete. The SDK signs, Java's
 * own client asks.
 */
final class S3Trial implements EngineTrial {
  private static final int OBJECTS = 20;
  private static final int BYTES = 1_000;
  private static final Duration TIMEOUT = Duration.ofSeconds(10);
  private static final Pattern CODE = Pattern.compile("<Code>(\\w{1,60})</Code>");
  private static final int OK_CLASS = 2;

  private final URI endpoint;
  private final String bucket;
  private final String prefix;
  private final String region;
  private final CredentialChain credentials = CredentialChain.of(null);
  private final HttpClient client = HttpClient.newBuilder().connectTimeout(TIMEOUT).build();
  private final AwsV4HttpSigner signer = AwsV4HttpSigner.create();
  private int put;

  /**
   * @param place {@code s3://bucket/prefix}
   * @param endpoint Amazon's of the region, or another server's
   * @param node the objects are below the prefix and a name with it
   */
  S3Trial(URI place, String region, URI endpoint, String node) {
    this.endpoint = endpoint;
    this.region = region;
    bucket = place.getHost();
    String below = place.getPath().replaceFirst("^/", "");
    String folder = below.isEmpty() || below.endsWith("/") ? below : below + "/";
    prefix = folder + "gilmok-accept-" + node + "/";
  }

  @Override
  public String engine() {
    return "s3";
  }

  @Override
  public String writes() {
    return "the objects s3://" + bucket + "/" + prefix;
  }

  @Override
  public void run(Findings findings) throws IOException, InterruptedException {
    HttpEndpoint.look(endpoint, TIMEOUT, findings);
    byte[] body = new byte[BYTES];
    Arrays.fill(body, (byte) 'x');
    boolean isPut =
        findings.step(
            "objects can be put",
            "give the identity s3:PutObject, s3:GetObject, s3:ListBucket and s3:DeleteObject",
            () -> {
              for (int i = 0; i < OBJECTS; i++) {
                put = i + 1;
                findings.time(
                    "put " + BYTES + " bytes", () -> ask(SdkHttpMethod.PUT, key(put), "", body));
              }
              return OBJECTS + " of " + BYTES + " bytes";
            });
    if (!isPut) {
      return;
    }
    findings.step(
        "what was put is read",
        "give the identity s3:GetObject",
        () -> {
          for (int i = 1; i <= OBJECTS; i++) {
            String key = key(i);
            byte[] got =
                findings.time(
                    "get " + BYTES + " bytes", () -> ask(SdkHttpMethod.GET, key, "", new byte[0]));
            Findings.require(Arrays.equals(got, body), key + " is read otherwise");
          }
          return "byte for byte";
        });
    findings.step(
        "what was put is listed",
        "give the identity s3:ListBucket",
        () -> {
          byte[] list =
              findings.time("list", () -> ask(SdkHttpMethod.GET, "", prefix, new byte[0]));
          int found = new String(list, StandardCharsets.UTF_8).split("<Key>", -1).length - 1;
          Findings.require(found == OBJECTS, found + " of " + OBJECTS);
          return found + " of " + OBJECTS + ", at once";
        });
    findings.step(
        "objects can be deleted",
        "give the identity s3:DeleteObject; a backup's retention needs it",
        () -> {
          String key = key(OBJECTS);
          findings.time("delete", () -> ask(SdkHttpMethod.DELETE, key, "", new byte[0]));
          put = OBJECTS - 1;
          return "one, by itself";
        });
  }

  private String key(int number) {
    return prefix + number;
  }

  /** Asks for an object; or, for an empty key, for a list of those of that prefix. */
  private byte[] ask(SdkHttpMethod method, String key, String listed, byte[] body)
      throws IOException, InterruptedException {
    SdkHttpRequest.Builder asked =
        SdkHttpRequest.builder().method(method).uri(endpoint).encodedPath("/" + bucket + "/" + key);
    if (key.isEmpty()) {
      asked.putRawQueryParameter("list-type", "2").putRawQueryParameter("prefix", listed);
    }
    SdkHttpRequest signed = signed(asked.build(), body);
    HttpRequest.Builder request =
        HttpRequest.newBuilder(signed.getUri())
            .timeout(TIMEOUT)
            .method(
                method.name(),
                body.length == 0 ? BodyPublishers.noBody() : BodyPublishers.ofByteArray(body));
    signed
        .headers()
        .forEach(
            (name, values) -> {
              // Java's client sets these by itself, to the same values.
              if (!List.of("host", "content-length").contains(name.toLowerCase(Locale.ROOT))) {
                values.forEach(value -> request.header(name, value));
              }
            });
    HttpResponse<byte[]> response;
    try {
      response = client.send(request.build(), BodyHandlers.ofByteArray());
    } catch (ConnectException | SSLHandshakeException unsent) {
      put -= method == SdkHttpMethod.PUT ? 1 : 0;
      throw unsent;
    }
    if (response.statusCode() / 100 != OK_CLASS) {
      put -= method == SdkHttpMethod.PUT ? 1 : 0; // an answer: it is not there
      throw new IOException(refused(method, key, response));
    }
    return response.body();
  }

  private SdkHttpRequest signed(SdkHttpRequest request, byte[] body) throws IOException {
    AwsCredentials identity;
    try {
      identity = credentials.resolveCredentials();
    } catch (SdkException none) {
      throw new IOException("no credentials: " + none.getMessage(), none);
    }
    return signer
        .sign(
            sign ->
                sign.identity(identity)
                    .request(request)
                    .payload(ContentStreamProvider.fromByteArray(body))
                    .putProperty(AwsV4FamilyHttpSigner.SERVICE_SIGNING_NAME, "s3")
                    .putProperty(AwsV4HttpSigner.REGION_NAME, region)
                    .putProperty(AwsV4FamilyHttpSigner.DOUBLE_URL_ENCODE, false)
                    .putProperty(AwsV4FamilyHttpSigner.NORMALIZE_PATH, false))
        .request();
  }

  private String refused(SdkHttpMethod method, String key, HttpResponse<byte[]> response) {
    Matcher code = CODE.matcher(new String(response.body(), StandardCharsets.UTF_8));
    String told = code.find() ? code.group(1) : "no reason";
    String action =
        switch (method) {
          case PUT -> "s3:PutObject";
          case DELETE -> "s3:DeleteObject";
          default -> key.isEmpty() ? "s3:ListBucket" : "s3:GetObject";
        };
    String verb = response.statusCode() == 403 ? "denied: " : "refused: ";
    return "%s%s on %s (%d, %s)".formatted(verb, action, bucket, response.statusCode(), told);
  }

  @Override
  public String cleanUp() throws IOException, InterruptedException {
    try {
      for (int i = 1; i <= put; i++) {
        ask(SdkHttpMethod.DELETE, key(i), "", new byte[0]);
      }
      return put == 0 ? "nothing was put" : "nothing is left of " + writes();
    } finally {
      client.shutdownNow();
      credentials.close();
    }
  }
}

package gilmok.backup.repository;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.DefaultCredentialsProvider;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.http.ContentStreamProvider;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.http.SdkHttpRequest;
import software.amazon.awssdk.http.auth.aws.signer.AwsV4FamilyHttpSigner;
import software.amazon.awssdk.http.auth.aws.signer.AwsV4HttpSigner;
import software.amazon.awssdk.http.auth.spi.signer.SignedRequest;
import software.amazon.awssdk.regions.providers.DefaultAwsRegionProviderChain;
import software.amazon.awssdk.utils.SdkAutoCloseable;
import software.amazon.awssdk.utils.http.SdkHttpUtils;

/**
 * Objects in a bucket of S3, or of a server that speaks as S3 does. Four requests are all that is
 * needed, and none is larger than a chunk, so they are signed by the SDK's signer and sent by the
 * JDK's client; the SDK's own client of S3 would add 5 MB.
 *
 * <p>Credentials and region are found as by AWS's own tools: environment, profile, role of the
 * machine. {@code AWS_ENDPOINT_URL_S3} or {@code AWS_ENDPOINT_URL} names another server. Source: <a
 * href="https://docs.aws.amazon.com/AmazonS3/latest/API/Welcome.html">S3 API reference</a>.
 */
final class S3Store implements ObjectStore {
  static final String SCHEME = "s3://";

  private static final Pattern NAME = Pattern.compile("s3://([a-z0-9][a-z0-9.-]{1,61})(?:/(.*))?");
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final int TRIES = 6;
  private static final long PAUSE_MILLIS = 200;
  private static final int TOLD_CHARS_MAX = 300;

  private final String name;
  private final URI base;
  private final String prefix;
  private final String region;
  private final HttpClient client = HttpClient.newBuilder().connectTimeout(PATIENCE).build();
  private final AwsV4HttpSigner signer = AwsV4HttpSigner.create();
  private final AwsCredentialsProvider credentials;

  /**
   * Objects below an address.
   *
   * @param name for messages
   * @param base the bucket's address, with a slash at its end
   * @param prefix of all objects' names; empty, or with a slash at its end
   */
  S3Store(String name, URI base, String prefix, String region, AwsCredentialsProvider credentials) {
    this.name = name;
    this.base = base;
    this.prefix = prefix;
    this.region = region;
    this.credentials = credentials;
  }

  /**
   * The bucket of that name.
   *
   * @throws IOException when it is no such name, or no region is set
   */
  static S3Store of(String name, Map<String, String> environment) throws IOException {
    Matcher parts = NAME.matcher(name);
    if (!parts.matches()) {
      throw new IOException(name + " is no bucket: write it as s3://bucket/prefix");
    }
    String region;
    try {
      region = new DefaultAwsRegionProviderChain().getRegion().id();
    } catch (SdkException unknown) {
      throw new IOException("no region of AWS is known: set AWS_REGION");
    }
    String bucket = parts.group(1);
    String prefix = parts.group(2) == null ? "" : parts.group(2).replaceFirst("/*$", "");
    String other =
        environment.getOrDefault(
            "AWS_ENDPOINT_URL_S3", environment.getOrDefault("AWS_ENDPOINT_URL", ""));
    URI base;
    if (!other.isEmpty()) {
      base = URI.create(other.replaceFirst("/*$", "") + "/" + bucket + "/");
    } else if (bucket.contains(".")) { // no certificate has such a host name
      base = URI.create("https://s3.%s.amazonaws.com/%s/".formatted(region, bucket));
    } else {
      base = URI.create("https://%s.s3.%s.amazonaws.com/".formatted(bucket, region));
    }
    return new S3Store(
        name,
        base,
        prefix.isEmpty() ? "" : prefix + "/",
        region,
        DefaultCredentialsProvider.builder().build());
  }

  @Override
  public String place() {
    return name;
  }

  @Override
  public Map<String, Long> list(String below) throws IOException, InterruptedException {
    Map<String, Long> names = new TreeMap<>();
    String token = null;
    do {
      Map<String, String> query = new TreeMap<>();
      query.put("list-type", "2");
      query.put("prefix", prefix + below);
      if (token != null) {
        query.put("continuation-token", token);
      }
      byte[] page = ask(SdkHttpMethod.GET, "", query, null);
      if (page == null) {
        throw new IOException("there is no bucket " + name);
      }
      token = read(page, names);
    } while (token != null);
    return names;
  }

  /** Adds the names of a page; returns where the next one begins. */
  private @Nullable String read(byte[] page, Map<String, Long> names) throws IOException {
    XMLInputFactory factory = XMLInputFactory.newFactory();
    factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
    factory.setProperty(XMLInputFactory.IS_COALESCING, true);
    String next = null;
    String key = "";
    try {
      XMLStreamReader xml = factory.createXMLStreamReader(new ByteArrayInputStream(page));
      while (xml.hasNext()) {
        if (xml.next() == XMLStreamConstants.START_ELEMENT) {
          switch (xml.getLocalName()) {
            case "Key" -> key = xml.getElementText();
            case "Size" ->
                names.put(key.substring(prefix.length()), Long.valueOf(xml.getElementText()));
            case "NextContinuationToken" -> next = xml.getElementText();
            default -> {
              // What else S3 tells of an object is not needed.
            }
          }
        }
      }
      return next;
    } catch (XMLStreamException | RuntimeException unreadable) {
      throw new IOException(name + ": the list of objects cannot be read", unreadable);
    }
  }

  @Override
  public byte[] read(String object) throws IOException, InterruptedException {
    byte[] content = ask(SdkHttpMethod.GET, prefix + object, Map.of(), null);
    if (content == null) {
      throw new NoSuchFileException(name + "/" + object);
    }
    return content;
  }

  @Override
  public void write(String object, byte[] content) throws IOException, InterruptedException {
    if (ask(SdkHttpMethod.PUT, prefix + object, Map.of(), content) == null) {
      throw new IOException("there is no bucket " + name);
    }
  }

  @Override
  public void delete(String object) throws IOException, InterruptedException {
    byte[] _ = ask(SdkHttpMethod.DELETE, prefix + object, Map.of(), null);
  }

  /** The body of the answer; null for a 404. Asks again after a passing failure. */
  private byte @Nullable [] ask(
      SdkHttpMethod method, String path, Map<String, String> query, byte @Nullable [] body)
      throws IOException, InterruptedException {
    IOException last = new IOException();
    for (int attempt = 0; attempt < TRIES; attempt++) {
      if (attempt > 0) {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(PAUSE_MILLIS << attempt));
        if (Thread.interrupted()) {
          throw new InterruptedException();
        }
      }
      try {
        HttpResponse<byte[]> answer =
            client.send(signed(method, path, query, body), BodyHandlers.ofByteArray());
        int status = answer.statusCode();
        if (status / 100 == 2) {
          return answer.body();
        }
        if (status == 404) {
          return null;
        }
        last = new IOException("%s answers %d: %s".formatted(name, status, told(answer.body())));
        if (status / 100 == 4 && status != 408 && status != 429) {
          throw new RefusedException(last);
        }
      } catch (SdkException noCredentials) {
        throw new IOException("no credentials for " + name + ": " + noCredentials.getMessage());
      } catch (RefusedException refused) {
        throw refused;
      } catch (IOException broken) {
        last = new IOException(base.getHost() + " does not answer: " + broken, broken);
      }
    }
    throw last;
  }

  /** An answer that stays the same when it is asked for again. */
  private static final class RefusedException extends IOException {
    private static final long serialVersionUID = 1L;

    RefusedException(IOException why) {
      super(why.getMessage());
    }
  }

  private static String told(byte[] body) {
    String text = new String(body, StandardCharsets.UTF_8).strip();
    return text.length() > TOLD_CHARS_MAX ? text.substring(0, TOLD_CHARS_MAX) : text;
  }

  private HttpRequest signed(
      SdkHttpMethod method, String path, Map<String, String> query, byte @Nullable [] body) {
    SdkHttpRequest.Builder plain =
        SdkHttpRequest.builder()
            .method(method)
            .uri(URI.create(base + SdkHttpUtils.urlEncodeIgnoreSlashes(path)));
    query.forEach(plain::putRawQueryParameter);
    SdkHttpRequest request = plain.build();
    SignedRequest signed =
        signer.sign(
            wanted ->
                wanted
                    .identity(credentials.resolveCredentials())
                    .request(request)
                    .payload(body == null ? null : ContentStreamProvider.fromByteArray(body))
                    .putProperty(AwsV4FamilyHttpSigner.SERVICE_SIGNING_NAME, "s3")
                    .putProperty(AwsV4HttpSigner.REGION_NAME, region)
                    .putProperty(AwsV4FamilyHttpSigner.DOUBLE_URL_ENCODE, false)
                    .putProperty(AwsV4FamilyHttpSigner.NORMALIZE_PATH, false));
    HttpRequest.Builder sent =
        HttpRequest.newBuilder(signed.request().getUri())
            .timeout(PATIENCE)
            .method(
                method.name(),
                body == null ? BodyPublishers.noBody() : BodyPublishers.ofByteArray(body));
    signed
        .request()
        .forEachHeader(
            (header, values) -> {
              // The client writes these two itself.
              if (!header.equalsIgnoreCase("Host") && !header.equalsIgnoreCase("Content-Length")) {
                values.forEach(value -> sent.header(header, value));
              }
            });
    return sent.build();
  }

  @Override
  public void close() {
    if (credentials instanceof SdkAutoCloseable open) {
      open.close();
    }
    client.close();
  }
}

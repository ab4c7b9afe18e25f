package gilmok.sinks.firehose;

import gilmok.observe.Counter;
import gilmok.observe.Histogram;
import gilmok.observe.Meters;
import gilmok.sinks.Batch;
import gilmok.sinks.Sink;
import gilmok.sinks.Verdict;
import gilmok.sinks.Verdict.Cause;
import gilmok.sinks.Verdict.Retry;
import gilmok.storage.NodeId;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.auth.credentials.AwsCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.core.exception.AbortedException;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.firehose.FirehoseClient;
import software.amazon.awssdk.services.firehose.FirehoseClientBuilder;
import software.amazon.awssdk.services.firehose.model.DeliveryStreamDescription;
import software.amazon.awssdk.services.firehose.model.DeliveryStreamType;
import software.amazon.awssdk.services.firehose.model.PutRecordBatchRequest;
import software.amazon.awssdk.services.firehose.model.PutRecordBatchResponse;
import software.amazon.awssdk.services.firehose.model.Record;

/**
 * Ships to a delivery stream of Amazon Data Firehose with {@code PutRecordBatch}, and evaluates the
 * result of each record; see the package's page. It does not keep order. Credentials come from the
 * SDK's default chain, or from a role that is assumed with those, and are renewed as they expire.
 * The SDK does not retry: {@code BatchSender} does.
 *
 * <p>Thread-safe; {@link #send} blocks, best on a virtual thread, and may be interrupted.
 */
public final class FirehoseSink implements Sink {
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);

  /** Below the 60 seconds or so after which load balancers close idle connections. */
  private static final Duration IDLE_MAX = Duration.ofSeconds(50);

  /** AWS' limit for the length of a session's name. */
  private static final int SESSION_CHARS_MAX = 64;

  private final FirehoseConfig config;
  private final AwsCredentialsProvider credentials;
  private final FirehoseClient client;
  private final QuotaPacer pacer;
  private volatile boolean isKnownUsable;

  /** One for each of the most batches that were in flight at once. */
  private final Queue<FirehoseEncoder.Scratch> scratches = new ConcurrentLinkedQueue<>();

  private final Counter calls;
  private final Counter records;
  private final Counter bytes;
  private final Counter billedBytes;
  private final Histogram turnSeconds;

  /**
   * A sink that connects with its first batch.
   *
   * @param name the sink's name, for its metrics; unique in a process
   * @param node the server's node: the session of a role is named after both
   * @throws IllegalArgumentException when no region is given and none can be found, or a variable
   *     for a proxy holds no address
   */
  public FirehoseSink(FirehoseConfig config, String name, NodeId node, Meters meters) {
    this(config, name, meters, ProxyRules.from(System.getenv()), credentials(config, name, node));
  }

  /**
   * @param credentials closed with this sink
   */
  FirehoseSink(
      FirehoseConfig config,
      String name,
      Meters meters,
      ProxyRules proxies,
      AwsCredentialsProvider credentials) {
    this.config = config;
    this.credentials = credentials;
    int connectionsMax = FirehoseLimits.SINK.concurrencyMax();
    ClientMeters measured = new ClientMeters(meters, name, connectionsMax);
    client = client(measured, connectionsMax, name, proxies);
    pacer = new QuotaPacer(config, System::nanoTime, TimeUnit.NANOSECONDS::sleep);
    String[] labels = {"sink", name};
    meters.gauge(
        "gilmok_firehose_pace",
        "The share of the quota that is used; 1 when Firehose does not throttle.",
        pacer::share,
        labels);
    meters.counter(
        "gilmok_firehose_slowed_total", "How often the pace was halved.", pacer::halvings, labels);
    turnSeconds =
        meters.seconds(
            "gilmok_firehose_turn_seconds",
            "How long a call waited for its turn below the quota.",
            labels);
    calls =
        meters.counter(
            "gilmok_firehose_calls_total",
            "Calls of PutRecordBatch, failed ones included.",
            labels);
    records =
        meters.counter(
            "gilmok_firehose_records_total", "Firehose records that were given an id.", labels);
    bytes = meters.counter("gilmok_firehose_bytes_total", "Bytes of these.", labels);
    billedBytes =
        meters.counter(
            "gilmok_firehose_billed_bytes_total",
            "Bytes of these, each record rounded up as it is charged.",
            labels);
  }

  /** The credentials that its settings name; nothing is requested yet. */
  private static AwsCredentialsProvider credentials(
      FirehoseConfig config, String name, NodeId node) {
    AwsHttpService.use();
    CredentialChain own = CredentialChain.of(config.identity().profile());
    if (config.identity().roleArn() == null) {
      return own;
    }
    String session = "gilmok-" + node + "-" + name;
    String cut = session.substring(0, Math.min(session.length(), SESSION_CHARS_MAX));
    ProxyRules proxies = ProxyRules.from(System.getenv());
    try {
      return new AssumedRole(config, config.identity().roleArn(), cut, own, proxies);
    } catch (SdkClientException e) {
      throw noRegion(name);
    }
  }

  private static IllegalArgumentException noRegion(String name) {
    String key = "sinks." + name + ".region";
    return new IllegalArgumentException(
        key + ": is not given, and nothing else says it (AWS_REGION, a profile)");
  }

  private FirehoseClient client(
      ClientMeters meters, int connectionsMax, String name, ProxyRules proxies) {
    FirehoseClientBuilder builder =
        FirehoseClient.builder()
            .credentialsProvider(credentials)
            .httpClientBuilder(
                new ProxiedHttp.Builder(
                    proxies,
                    () ->
                        Apache5HttpClient.builder()
                            .maxConnections(connectionsMax)
                            .connectionTimeout(CONNECT_TIMEOUT)
                            .connectionAcquisitionTimeout(CONNECT_TIMEOUT)
                            .connectionMaxIdleTime(IDLE_MAX)
                            .socketTimeout(config.sendTimeout())))
            .overrideConfiguration(
                override -> {
                  override
                      .apiCallTimeout(config.sendTimeout())
                      .retryStrategy(AwsRetryStrategy.doNotRetry())
                      .addMetricPublisher(meters);
                  if (config.identity().profile() != null) {
                    override.defaultProfileName(config.identity().profile()); // for its region
                  }
                });
    if (config.region() != null) {
      builder.region(Region.of(config.region()));
    }
    if (config.endpoint() != null) {
      builder.endpointOverride(config.endpoint());
    }
    try {
      return builder.build();
    } catch (SdkClientException e) {
      CredentialChain.close(credentials);
      throw noRegion(name);
    }
  }

  @Override
  public String kind() {
    return "firehose";
  }

  @Override
  public boolean isOrdered() {
    return false;
  }

  @Override
  public boolean isDurable() {
    return true;
  }

  @Override
  public Verdict send(Batch batch) throws InterruptedException {
    FirehoseEncoder.Scratch kept = scratches.poll();
    FirehoseEncoder.Scratch scratch = kept == null ? new FirehoseEncoder.Scratch() : kept;
    try {
      return send(batch, new FirehoseEncoder(batch, config, scratch));
    } finally {
      scratches.add(scratch);
    }
  }

  private Verdict send(Batch batch, FirehoseEncoder encoder) throws InterruptedException {
    Retry unusable = isKnownUsable ? lack() : look();
    if (unusable != null) {
      return unusable;
    }
    PutTally tally = new PutTally(batch);
    for (FirehoseEncoder.Call call = encoder.next(); call != null; call = encoder.next()) {
      Verdict fault = put(call, tally);
      if (fault != null) {
        tally.stopped(fault);
        break;
      }
    }
    return tally.verdict(encoder.tooLarge, encoder.damaged);
  }

  /** Makes one call. Returns the verdict when it failed as a whole, null when it was answered. */
  private @Nullable Verdict put(FirehoseEncoder.Call call, PutTally tally)
      throws InterruptedException {
    long asked = System.nanoTime();
    if (!pacer.take(call.records.size(), call.bytes, config.sendTimeout().toNanos())) {
      return new Retry(Cause.PACED, "waits for its turn below the quota");
    }
    long begun = System.nanoTime();
    turnSeconds.record(begun - asked);
    calls.increment();
    PutRecordBatchRequest.Builder request =
        PutRecordBatchRequest.builder()
            .deliveryStreamName(config.stream())
            .records(call.records.stream().map(FirehoseSink::asRecord).toList());
    PutRecordBatchResponse response;
    try {
      response = client.putRecordBatch(request.build());
    } catch (SdkException e) {
      throwIfInterrupted(e);
      Verdict verdict = FirehoseFaults.verdict(e);
      if (verdict instanceof Retry retry && retry.cause() == Cause.THROTTLED) {
        pacer.throttled(begun);
      }
      return verdict;
    }
    PutTally.Kept kept = tally.answered(call, response);
    records.add(kept.records());
    bytes.add(kept.bytes());
    billedBytes.add(kept.billedBytes());
    if (kept.isThrottled()) {
      pacer.throttled(begun);
    }
    return null;
  }

  /**
   * Requests the stream's description. An identity that may only write is denied this, which is no
   * fault.
   */
  @Override
  public @Nullable String probe() throws InterruptedException {
    Retry unusable = look();
    return unusable == null ? null : unusable.detail();
  }

  /** Before the first batch, and until all is well: why nothing can be sent; null when it can. */
  private @Nullable Retry look() throws InterruptedException {
    Retry unusable = lack();
    if (unusable != null) {
      return unusable;
    }
    try {
      String reason = unusable(describe());
      unusable = reason == null ? null : new Retry(Cause.DENIED, reason);
    } catch (SdkException e) {
      throwIfInterrupted(e);
      unusable = FirehoseFaults.absence(e);
    }
    isKnownUsable = unusable == null;
    return unusable;
  }

  /**
   * Why there are no credentials; null when there are. Requested apart from the call that is signed
   * with them, because slow credentials would otherwise look like that call's timeout.
   */
  private @Nullable Retry lack() throws InterruptedException {
    try {
      AwsCredentials _ = credentials.resolveCredentials();
      return null;
    } catch (SdkException e) {
      throwIfInterrupted(e);
      return FirehoseFaults.verdict(e) instanceof Retry retry ? retry : null;
    }
  }

  private @Nullable DeliveryStreamDescription describe() {
    return client
        .describeDeliveryStream(
            request ->
                request
                    .deliveryStreamName(config.stream())
                    .overrideConfiguration(override -> override.apiCallTimeout(CONNECT_TIMEOUT)))
        .deliveryStreamDescription();
  }

  /**
   * Why the stream takes no records: a stream with a source of its own answers each call with
   * {@code InvalidArgumentException}.
   */
  private @Nullable String unusable(@Nullable DeliveryStreamDescription stream) {
    DeliveryStreamType type = stream == null ? null : stream.deliveryStreamType();
    if (type == null
        || type == DeliveryStreamType.DIRECT_PUT
        || type == DeliveryStreamType.UNKNOWN_TO_SDK_VERSION) {
      return null;
    }
    String source = "the stream " + config.stream() + " is fed by another source (" + type + ")";
    return source + ": nothing can be put into it; make one whose source is Direct PUT";
  }

  private static void throwIfInterrupted(SdkException failure) throws InterruptedException {
    boolean isInterrupted = Thread.interrupted();
    if (isInterrupted || failure instanceof AbortedException) {
      throw new InterruptedException();
    }
  }

  private static Record asRecord(byte[] data) {
    return Record.builder().data(SdkBytes.fromByteArrayUnsafe(data)).build();
  }

  @Override
  public void close() {
    client.close();
    scratches.forEach(FirehoseEncoder.Scratch::close);
    CredentialChain.close(credentials);
  }
}

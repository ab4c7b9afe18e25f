package gilmok.http;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A configuration of an {@link Edge}, changed one value at a time. */
final class EdgeConfig {
  int loops = 1;
  HttpConfig.Transport transport = HttpConfig.Transport.AUTO;
  int connectionsMax = 1000;
  int requestsMax = 1000;
  long bodiesBytesMax = 64 << 20;
  Duration head = Duration.ofSeconds(60);
  Duration body = Duration.ofSeconds(60);
  Duration idle = Duration.ofSeconds(60);
  @Nullable TlsConfig tls;
  List<String> origins = List.of();
  TrustedProxies proxies = TrustedProxies.NONE;
  int wrongKeysRate;
  CompressionLevels compressionLevels = new CompressionLevels(true, 1, Map.of());

  EdgeConfig loops(int count) {
    loops = count;
    return this;
  }

  EdgeConfig head(Duration timeout) {
    head = timeout;
    return this;
  }

  EdgeConfig body(Duration timeout) {
    body = timeout;
    return this;
  }

  EdgeConfig idle(Duration timeout) {
    idle = timeout;
    return this;
  }

  EdgeConfig connections(int max) {
    connectionsMax = max;
    return this;
  }

  EdgeConfig proxies(String... networks) {
    proxies = new TrustedProxies(Networks.of(List.of(networks)), TrustedProxies.Header.X_FORWARDED);
    return this;
  }

  EdgeConfig bodies(long bytesMax) {
    bodiesBytesMax = bytesMax;
    return this;
  }

  EdgeConfig tls(Path certificateFile, Path keyFile) {
    tls = new TlsConfig(certificateFile, keyFile, Duration.ofMillis(100));
    return this;
  }

  EdgeConfig origins(List<String> allowed) {
    origins = allowed;
    return this;
  }

  EdgeConfig compression(CompressionLevels wanted) {
    compressionLevels = wanted;
    return this;
  }

  HttpConfig config() {
    return new HttpConfig(
        "127.0.0.1",
        0,
        loops,
        transport,
        new HttpConfig.Limits(
            connectionsMax,
            requestsMax,
            bodiesBytesMax,
            head,
            body,
            idle,
            wrongKeysRate,
            Duration.ZERO),
        tls,
        origins,
        proxies,
        compressionLevels);
  }
}

package gilmok.backup.repository;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import gilmok.sinks.firehose.MotoServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.NoSuchFileException;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;

/** Objects in a bucket of moto, which speaks as S3 does. */
@Tag("engine")
final class S3StoreIT {
  private static MotoServer moto;

  @BeforeAll
  static void begin() throws Exception {
    moto = MotoServer.start();
    try (HttpClient client = HttpClient.newHttpClient()) {
      String where =
          "<CreateBucketConfiguration><LocationConstraint>%s</LocationConstraint>"
                  .formatted(MotoServer.REGION)
              + "</CreateBucketConfiguration>";
      assertThat(
              client
                  .send(
                      HttpRequest.newBuilder(moto.endpoint().resolve("/backups"))
                          .PUT(BodyPublishers.ofString(where))
                          .build(),
                      BodyHandlers.ofString())
                  .statusCode())
          .isEqualTo(200);
    }
  }

  @AfterAll
  static void end() {
    moto.close();
  }

  private static S3Store store(URI endpoint, String bucket, String prefix) {
    return new S3Store(
        "s3://" + bucket,
        endpoint.resolve("/" + bucket + "/"),
        prefix,
        MotoServer.REGION,
        StaticCredentialsProvider.create(AwsBasicCredentials.create("id", "secret")));
  }

  @Test
  void objects_areWritten_listedByThePage_readAndDeleted() throws Exception {
    try (S3Store store = store(moto.endpoint(), "backups", "fleet one/")) {
      byte[] content = new byte[2 << 20];
      new Random(1).nextBytes(content);
      store.write("node/objects/ab/large+ 길", content);
      for (int i = 0; i < 1_010; i++) {
        store.write("node/objects/cd/%04d".formatted(i), new byte[] {1});
      }
      Map<String, Long> names = store.list("node/objects/");
      assertThat(names).hasSize(1_011).containsEntry("node/objects/ab/large+ 길", 2L << 20);
      assertThat(store.read("node/objects/ab/large+ 길")).isEqualTo(content);
      store.delete("node/objects/ab/large+ 길");
      store.delete("node/objects/ab/large+ 길");
      assertThat(store.list("node/objects/ab/")).isEmpty();
      assertThatThrownBy(() -> store.read("node/objects/ab/large+ 길"))
          .isInstanceOf(NoSuchFileException.class);
      assertThat(BackupRepository.nodes(store)).isEmpty();
    }
  }

  @Test
  void noBucket_andNobodyThere_areNamed() throws Exception {
    try (S3Store store = store(moto.endpoint(), "no-such-bucket", "")) {
      assertThatThrownBy(() -> store.list(""))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("there is no bucket s3://no-such-bucket");
    }
    int port;
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }
    try (S3Store store = store(URI.create("http://127.0.0.1:" + port), "backups", "")) {
      assertThatThrownBy(() -> store.list(""))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("127.0.0.1 does not answer");
    }
  }
}

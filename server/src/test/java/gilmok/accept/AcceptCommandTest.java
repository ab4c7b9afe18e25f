package gilmok.accept;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.Repository;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code gilmok accept}: its usage, and what it sees of a container without any engine. */
@Tag("unit")
@Timeout(60)
final class AcceptCommandTest {
  @TempDir Path folder;

  @Test
  void wrongUsage_is2_andNamed() {
    assertThat(Accepting.of().code()).isEqualTo(2);
    assertThat(Accepting.of().text()).contains("No engine: name one, as --mongo-uri");
    assertThat(Accepting.of("--redis=redis://127.0.0.1:1/0", "--scratch=Mine"))
        .isEqualTo(
            new Accepting(
                2,
                "gilmok accept: --scratch: must be 12 letters a-z and digits 2-7 (see: gilmok"
                    + " accept --help)\n"));
    assertThat(Accepting.of("--s3=http://bucket").text()).contains("--s3: must look like s3://");
    assertThat(Accepting.of("--kube", "--timeout=0").code()).isEqualTo(2);
    Accepting noBrokers = Accepting.of("--kafka=nowhere");
    assertThat(noBrokers.code()).isEqualTo(2);
    assertThat(noBrokers.text()).contains("sinks.kafka.bootstrap-servers: \"nowhere\" is no list");
  }

  @Test
  void help_saysWhatItWrites_andHasExamples() {
    Accepting help = Accepting.of("--help");
    assertThat(help.code()).isZero();
    assertThat(help.text())
        .contains("bounded and removed at the end")
        .contains("Examples:")
        .contains("--allow-failover")
        .contains("Exit code:");
  }

  @Test
  void kube_ofOurOwnManifest_isWell() {
    Path ours = Repository.root().resolve("ops/kubernetes/gilmok.yaml");
    Accepting said =
        Accepting.of(
            "--kube=" + ours,
            "--json",
            "--data=" + folder,
            "--set=stop.grace=5s",
            "--set=stop.patience=25s",
            "--set=stop.flush=30s");
    assertThat(said.check("limit of memory")).isEqualTo("pass: 1Gi");
    assertThat(said.check("request of processors")).isEqualTo("pass: 1");
    assertThat(said.check("readinessProbe")).isEqualTo("pass: /health/ready");
    assertThat(said.check("livenessProbe")).isEqualTo("pass: /health/live");
    assertThat(said.check("volume at /data")).isEqualTo("pass: a claim of its own");
    assertThat(said.check("terminationGracePeriodSeconds"))
        .isEqualTo(
            "pass: 80; a stop takes 65 s at most: preStop 5 and stop.grace, patience and"
                + " flush");
    assertThat(said.check("cleaned up")).isEqualTo("pass: nothing was left");
  }

  @Test
  void kube_ofAPodThatLosesItsData_saysSo() throws Exception {
    Path pod = folder.resolve("pod.yaml");
    Files.writeString(
        pod,
        """
        apiVersion: v1
        kind: List
        items:
          - kind: Pod
            spec:
              containers:
                - name: sidecar
                - name: gilmok
                  args: [serve, --data, /data]
                  livenessProbe: {httpGet: {path: /health/ready}}
                  volumeMounts: [{name: scratch, mountPath: /data}]
              volumes: [{name: scratch, emptyDir: {}}]
        """);
    Accepting said =
        Accepting.of("--kube=" + pod, "--json", "--data=" + folder, "--set=stop.grace=1s");
    assertThat(said.code()).isEqualTo(1);
    assertThat(said.check("volume at /data")).isEqualTo("fail: emptyDir");
    assertThat(said.check("livenessProbe")).isEqualTo("fail: /health/ready");
    assertThat(said.check("readinessProbe")).isEqualTo("fail: none by HTTP");
    assertThat(said.check("limit of memory")).isEqualTo("fail: none");
    assertThat(said.check("terminationGracePeriodSeconds"))
        .startsWith("fail: 30; a stop takes 31 s");
  }

  @Test
  void kube_withoutAFile_saysThatThePodWasNotLookedAt() throws Exception {
    Accepting said = Accepting.of("--kube", "--json", "--data=" + folder);
    assertThat(said.check("the pod's description")).isEqualTo("not tried: no file was given");
    assertThat(said.check("the data folder's volume")).contains(folder + " is on ");
    Path empty = Files.writeString(folder.resolve("none.yaml"), "kind: Service\n");
    assertThat(Accepting.of("--kube=" + empty, "--json").check("the pod's description"))
        .isEqualTo("fail: " + empty + " describes no pod, nor anything that makes pods");
  }
}

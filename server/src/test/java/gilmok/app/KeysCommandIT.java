package gilmok.app;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.cli.Shell;
import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code gilmok keys} on a stopped server's folder, and over HTTP to a running one. */
@Tag("server")
final class KeysCommandIT {
  private static final String MINE = "{\"riderId\":\"r-7\",\"at\":1,\"lat\":1,\"lon\":1}";
  private static final String OTHERS = "{\"riderId\":\"r-8\",\"at\":1,\"lat\":1,\"lon\":1}";

  @TempDir Path data;

  @Test
  void stopped_create_isGoodAtTheNextStart() throws Exception {
    RunningServer.start(data).close();
    Shell.Result made =
        keys("create", "rider 7", "--scopes=collect,read", "--rider=r-7", "--expires-in=1d");
    assertThat(made.err().strip())
        .isEqualTo("gilmok: no server runs on " + data + "; working on the folder itself");
    assertThat(made.code()).isZero();
    String key = made.out().strip();
    try (RunningServer server = RunningServer.start(data)) {
      assertThat(post(server, key, MINE)).isEqualTo(202);
      assertThat(post(server, key, OTHERS)).isEqualTo(403);
    }
  }

  @Test
  void stopped_listAndRevoke_workOnTheFolder() throws Exception {
    RunningServer.start(data).close();
    String key = keys("create", "app", "--scopes=collect", "--rate=5").out().strip();
    String id = key.split("_", -1)[1];
    assertThat(keys("list").out().lines().map(line -> line.replaceAll(" +", " ")))
        .hasSize(3)
        .first()
        .isEqualTo("ID NAME SCOPES BOUND TO EXPIRES RATE");
    assertThat(keys("list").out().lines().map(line -> line.replaceAll(" +", " ")))
        .contains(id + " app collect - - 5");
    assertThat(keys("revoke", id).out()).isEqualTo("revoked " + id + System.lineSeparator());
    assertThat(keys("list").out()).doesNotContain(id);
    Shell.Result again = keys("revoke", id);
    assertThat(again.code()).isEqualTo(1);
    assertThat(again.err()).contains("there is no key " + id);
    try (RunningServer server = RunningServer.start(data)) {
      assertThat(post(server, key, MINE)).isEqualTo(401);
    }
  }

  @Test
  void stopped_withoutAdminKey_makesNone() throws Exception {
    String admin;
    try (RunningServer server = RunningServer.start(data)) {
      admin = server.adminKey().split("_", -1)[1];
    }
    assertThat(keys("revoke", admin).code()).isZero();
    assertThat(keys("list").out().lines()).hasSize(1);
    assertThat(data.resolve("admin.key")).doesNotExist();
  }

  @Test
  void stopped_wrongWish_failsWithTheReason() throws Exception {
    RunningServer.start(data).close();
    Shell.Result bound = keys("create", "x", "--scopes=admin", "--rider=r");
    assertThat(bound.code()).isEqualTo(1);
    assertThat(bound.err()).contains("gilmok: scopes: a bound key cannot have admin");
    Shell.Result unknown = keys("create", "x", "--scopes=fly");
    assertThat(unknown.code()).isEqualTo(2);
    assertThat(unknown.err()).contains("--scopes fly is none of collect, read, operate, admin");
    keys("create", "twin", "--scopes=read");
    keys("create", "twin", "--scopes=read");
    assertThat(keys("create", "twin", "--scopes=read").err()).contains("two active keys");
  }

  @Test
  void noDataFolder_isNotMade() {
    Path missing = data.resolve("none");
    Shell.Result result = Shell.run("keys", "list", "--data=" + missing);
    assertThat(result.code()).isEqualTo(1);
    assertThat(result.err()).contains("start the server with ./gilmok serve");
    assertThat(Files.exists(missing)).isFalse();
  }

  @Test
  void running_url_goesOverHttp() throws Exception {
    try (RunningServer server = RunningServer.start(data)) {
      String url = "--url=" + server.uri("");
      Shell.Result made = keys("create", "app", "--scopes=collect", url);
      assertThat(made.err()).isEmpty();
      String key = made.out().strip();
      assertThat(post(server, key, MINE)).isEqualTo(202);
      String id = key.split("_", -1)[1];
      assertThat(keys("list", url).out().lines().map(line -> line.replaceAll(" +", " ")))
          .contains(id + " app collect - - -");
      assertThat(keys("revoke", id, url).code()).isZero();
      assertThat(post(server, key, MINE)).isEqualTo(401);
      assertThat(keys("create", "x", "--scopes=read", url, "--key=gk_no_no").err())
          .contains("the server does not take the key from --key");
    }
  }

  @Test
  void running_revokeOfAnUnknownKey_saysSo() throws Exception {
    try (RunningServer server = RunningServer.start(data)) {
      Shell.Result result = keys("revoke", "nobody", "--url=" + server.uri(""));
      assertThat(result.code()).isEqualTo(1);
      assertThat(result.err()).contains("there is no key nobody; \"gilmok keys ls\" shows them");
    }
    Shell.Result stopped = keys("revoke", "nobody");
    assertThat(stopped.code()).isEqualTo(1);
    assertThat(stopped.err()).contains("there is no key nobody");
  }

  @Test
  void running_tlsOfAnOwnCa_isTrustedWhereItIsNamed() throws Exception {
    X509Bundle own =
        new CertificateBuilder()
            .subject("CN=own")
            .setIsCertificateAuthority(true)
            .addSanIpAddress("127.0.0.1")
            .buildSelfSigned();
    Path certificate = data.resolveSibling(data.getFileName() + ".crt");
    Path key = data.resolveSibling(data.getFileName() + ".key");
    Files.writeString(certificate, own.getCertificatePathPEM());
    Files.writeString(key, own.getPrivateKeyPEM());
    try (RunningServer server =
        RunningServer.start(data, "tls.certificate=" + certificate, "tls.key=" + key)) {
      String url = "--url=https://127.0.0.1:" + server.uri("").getPort();
      Shell.Result doubted = keys("list", url);
      assertThat(doubted.code()).isEqualTo(1);
      assertThat(doubted.err()).contains("no trust in the server").contains("--ca");
      Shell.Result trusted = keys("list", url, "--ca=" + certificate);
      assertThat(trusted.code()).as(trusted.err()).isZero();
      assertThat(trusted.out()).contains("admin");
    } finally {
      Files.delete(certificate);
      Files.delete(key);
    }
  }

  private static int post(RunningServer server, String key, String body) throws Exception {
    return server.send(key, "POST", "/v1/traces", "application/json", body).status();
  }

  private Shell.Result keys(String... arguments) {
    String[] all = new String[arguments.length + 2];
    all[0] = "keys";
    System.arraycopy(arguments, 0, all, 1, arguments.length);
    all[all.length - 1] = "--data=" + data;
    return Shell.run(all);
  }
}

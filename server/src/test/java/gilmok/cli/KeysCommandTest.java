package gilmok.cli;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.cli.FakeServer.Answer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("server")
class KeysCommandTest {
  @TempDir Path folder;
  private List<String> brought = List.of();

  @Test
  void create_sendsWhatWasAskedAndPrintsTheKeyAlone() throws IOException {
    try (FakeServer server =
        new FakeServer(request -> new Answer(201, "{\"id\":\"k1\",\"key\":\"gk_k1_s\"}"))) {
      Shell.Result result =
          keys(
              server,
              "create",
              "rider 7",
              "--scopes=collect,read",
              "--rider=r-7",
              "--expires-in=90d",
              "--rate=5");
      assertThat(result.err()).isEmpty();
      assertThat(result.out().strip()).isEqualTo("gk_k1_s");
      assertThat(result.code()).isZero();
      FakeServer.Asked asked = server.asked().getFirst();
      assertThat(asked.method() + " " + asked.path()).isEqualTo("POST /v1/keys");
      assertThat(asked.body().toString())
          .isEqualTo(
              """
              {"name":"rider 7","scopes":["collect","read"],"rider":"r-7","expiresIn":7776000,\
              "rate":5}\
              """);
    }
  }

  @Test
  void create_boundToTwo_isWrongUsage() {
    Shell.Result result =
        Shell.run("keys", "create", "x", "--scopes=read", "--rider=r", "--shop=s");
    assertThat(result.code()).isEqualTo(2);
    assertThat(result.err().lines()).hasSize(1);
  }

  private static final String KEYS =
      """
      {"items":[{"id":"k1","name":"app","scopes":["collect"]},
       {"id":"k2","name":"rider-7","scopes":["collect","read"],"rider":"r-7",
        "expiresAt":"2027-01-01T00:00:00Z","rate":5},
       {"id":"k3","name":"twice","scopes":["read"]},{"id":"k4","name":"twice","scopes":["read"]},
       {"id":"k5","name":"k1","scopes":["read"]}]}\
      """;
  private static final String HEAD =
      "ID  NAME     SCOPES        BOUND TO   EXPIRES               RATE";

  @Test
  void list_printsATable() throws IOException {
    try (FakeServer server = new FakeServer(request -> new Answer(200, KEYS))) {
      Shell.Result result = keys(server, "ls");
      assertThat(result.out().lines())
          .startsWith(
              HEAD,
              "k1  app      collect       -          -                     -",
              "k2  rider-7  collect,read  rider r-7  2027-01-01T00:00:00Z  5");
      assertThat(keys(server, "list").out()).isEqualTo(result.out());
    }
  }

  @Test
  void show_printsOne_byItsIdOrItsName() throws IOException {
    try (FakeServer server = new FakeServer(request -> new Answer(200, KEYS))) {
      Shell.Result result = keys(server, "show", "rider-7");
      assertThat(result.out().lines())
          .containsExactly(HEAD, "k2  rider-7  collect,read  rider r-7  2027-01-01T00:00:00Z  5");
      assertThat(keys(server, "show", "k2").out()).isEqualTo(result.out());
      assertThat(keys(server, "show", "k1").out()).contains("app");
      assertThat(keys(server, "show", "twice").err())
          .contains("2 keys are called twice: say which, k3, k4");
      assertThat(keys(server, "show", "none").err()).contains("there is no key none");
    }
  }

  @Test
  void revoke_deletes_byItsIdOrItsName() throws IOException {
    try (FakeServer server =
        new FakeServer(
            request ->
                request.method().equals("GET") ? new Answer(200, KEYS) : new Answer(204, ""))) {
      for (String named : new String[] {"k2", "rider-7"}) {
        Shell.Result result = keys(server, "revoke", named);
        assertThat(result.code()).as(result.err()).isZero();
        assertThat(result.out().strip()).isEqualTo("revoked k2");
        FakeServer.Asked asked = server.asked().getLast();
        assertThat(asked.method() + " " + asked.path()).isEqualTo("DELETE /v1/keys/k2");
        assertThat(asked.key()).isEqualTo("secret-key");
      }
      int before = server.asked().size();
      assertThat(keys(server, "revoke", "twice").code()).isEqualTo(1);
      assertThat(server.asked()).hasSize(before + 1);
    }
  }

  private Shell.Result imported(byte[] file) throws IOException {
    Path keys = folder.resolve("keys.csv");
    Files.write(keys, file);
    try (FakeServer server = new FakeServer(request -> new Answer(201, "{\"id\":\"k1\"}"))) {
      Shell.Result result = keys(server, "import", keys.toString());
      brought = server.asked().stream().map(asked -> asked.body().toString()).toList();
      return result;
    }
  }

  private Shell.Result imported(String file) throws IOException {
    return imported(file.getBytes(StandardCharsets.UTF_8));
  }

  private void assertNoneBrought(String file, String... says) throws IOException {
    Shell.Result result = imported(file);
    assertThat(result.code()).isEqualTo(1);
    assertThat(result.err()).contains(says).doesNotContain("\tat ", "Exception");
    assertThat(brought).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "rider,key\nr-1,fleet-key-1\nr-2,fleet-key-2\n",
        "\uFEFFrider,key\r\nr-1,fleet-key-1\r\nr-2,fleet-key-2\r\n",
        "rider;key;scopes\nr-1;fleet-key-1;collect\nr-2;fleet-key-2;\n",
        "\uFEFF{\"rider\":\"r-1\",\"key\":\"fleet-key-1\"}\n"
            + "{\"rider\":\"r-2\",\"key\":\"fleet-key-2\"}",
        "rider,key\nr-1,fleet-key-1\nr-1,fleet-key-1\nr-2,fleet-key-2\n"
      })
  void importAll_asSpreadsheetsAndProgramsWrite_bringsAll(String file) throws IOException {
    Shell.Result result = imported(file);
    assertThat(result.code()).as(result.err()).isZero();
    assertThat(brought.getFirst()).contains("\"rider\":\"r-1\"", "\"sha256\":");
    assertThat(brought.getLast()).contains("\"rider\":\"r-2\"");
    assertThat(brought).noneMatch(body -> body.contains("fleet-key"));
  }

  @Test
  void importAll_whatTheServerWouldRefuse_isSaidBefore_byItsLine() throws IOException {
    assertNoneBrought(
        "rider,key\nr-1,fleet-key-1\nr-2,fleet-key-1\n", "line 3: key: is that of line 2");
    assertNoneBrought(
        "name,rider,key\na,r,fleet-key-1\na,r,fleet-key-2\na,r,fleet-key-3\n", "line 4: name: two");
    assertNoneBrought("name,scopes,rider,key\na,admin,r,fleet-key-1\n", "line 2: scopes: a bound");
    String hash = "$2b$10$" + "a".repeat(52);
    StringBuilder alike = new StringBuilder("name,bcrypt,prefix\n");
    for (int i = 0; i < 5; i++) {
      alike.append("n-%d,%s%d,flo%s\n".formatted(i, hash, i, "w".repeat(i)));
    }
    assertNoneBrought(alike.toString(), "line 6: prefix: four keys");
  }

  @Test
  void importAll_keyOfNobody_whereOthersHaveOwners_isNoKeyOfTheFleet() throws IOException {
    assertNoneBrought(
        "name,rider,key\na,r-1,fleet-key-1\nb,,fleet-key-2\n", "line 3: rider: is empty");
    assertNoneBrought("name,key,rider\na,fleet-key-1\n", "line 2: rider: is empty");
    assertNoneBrought(
        "{\"name\":\"a\",\"rider\":null,\"key\":\"fleet-key-1\"}", "line 1: rider: is empty");
    assertThat(imported("name,rider,shop,key\na,r-1,,fleet-key-1\nb,,s-1,fleet-key-2\n").code())
        .as("one of them is enough")
        .isZero();
    assertThat(imported("name,key\na,fleet-key-1\n").code()).isZero();
  }

  @Test
  void importAll_noTextOrNoKeys_saysSo() throws IOException {
    for (byte[] binary :
        List.of(
            new byte[] {0x1f, (byte) 0x8b, 8, 0, 0, 1, 2, 3},
            "name,key\na,fleet-key-1\n".getBytes(StandardCharsets.UTF_16),
            "name,key\n\0".getBytes(StandardCharsets.US_ASCII))) {
      Shell.Result result = imported(binary);
      assertThat(result.code()).isEqualTo(1);
      assertThat(result.err()).contains("is no text in UTF-8").doesNotContain("\tat ", "Exception");
    }
    assertNoneBrought("", "the file is empty");
    assertNoneBrought("name,key,colour\na,fleet-key-1,red\n", "line 1: colour: is not a field");
    assertNoneBrought("name,key,key\na,fleet-key-1,fleet-key-2\n", "line 1: key: is there twice");
    assertNoneBrought(
        "{\"name\":\"a\",\"key\":\"fleet-key-1\"}\n[1]\n", "line 2: is no JSON object");
    try (FakeServer server = new FakeServer(request -> new Answer(201, "{}"))) {
      assertThat(keys(server, "import", folder.toString()).err()).contains("cannot be read");
    }
  }

  @Test
  void importAll_refusedByTheServer_namesTheLine() throws IOException {
    Path keys = folder.resolve("keys.csv");
    Files.writeString(keys, "name,key\n\na,fleet-key-1\nb,fleet-key-2\n");
    try (FakeServer server =
        new FakeServer(
            request ->
                request.body().toString().contains("\"a\"")
                    ? new Answer(201, "{}")
                    : new Answer(409, "{\"title\":\"Conflict\"}"))) {
      assertThat(keys(server, "import", keys.toString()).err()).contains("line 4, key 2 of 2, b: ");
    }
  }

  @Test
  void anyCommand_refused_failsWithTheServersReason() throws IOException {
    try (FakeServer server =
        new FakeServer(request -> new Answer(404, "{\"title\":\"There is nothing here.\"}"))) {
      Shell.Result result = keys(server, "revoke", "k9");
      assertThat(result.code()).isEqualTo(1);
      assertThat(result.err()).contains("There is nothing here.");
    }
  }

  private static Shell.Result keys(FakeServer server, String... arguments) {
    String[] all = new String[arguments.length + 3];
    all[0] = "keys";
    System.arraycopy(arguments, 0, all, 1, arguments.length);
    all[arguments.length + 1] = "--url=" + server.url();
    all[arguments.length + 2] = "--key=secret-key";
    return Shell.run(all);
  }
}

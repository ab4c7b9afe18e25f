package gilmok.app;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.cli.Commands;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands against a whole server and its log. */
@Tag("server")
final class CommandsIT {
  @TempDir Path folder;

  @Test
  void replay_thenLog_givesBackWhatWasSent() throws Exception {
    Path data = folder.resolve("data");
    Path file = recording(300);
    try (RunningServer server = RunningServer.start(data)) {
      String[] access = {"--url", server.uri("").toString(), "--data", data.toString()};
      assertThat(run("replay", file.toString(), access))
          .startsWith("0\n300 of 300")
          .containsPattern("accepted +300\n");
      assertThat(run("replay", file.toString(), access)).containsPattern("duplicates +300\n");

      String cat = run("log", "cat", "--data", data.toString());
      assertThat(cat.lines()).hasSize(301);
      assertThat(cat.lines().toList().get(1))
          .startsWith("{\"sequence\":1,\"recordId\":\"")
          .contains(":1\",\"stream\":\"traces\",\"receivedAt\":\"")
          .contains("\"record\":{\"riderId\":\"r-");
      assertThat(run("log", "cat", "--from", "299", "--data", data.toString()).lines()).hasSize(3);
      assertThat(run("log", "cat", "--stream", "actions", "--data", data.toString()))
          .isEqualTo("0\n");

      Path again = folder.resolve("cat.ndjson");
      Files.writeString(again, cat.substring(2));
      assertThat(run("replay", again.toString(), access))
          .startsWith("0\n300 of 300")
          .containsPattern("duplicates +300\n");
      assertThat(run("log", "verify", "--data", data.toString()))
          .isEqualTo("0\nsound; sequences 1 to 300:\n  traces 300\n");
      assertThat(run("log", "ls", "--data", data.toString()))
          .containsPattern("00000000000000000001\\.log +1 +300 +9437184 +20");
    }
  }

  @Test
  void logCat_clockAheadOfArrival_isFlaggedBesideTheRecord() throws Exception {
    Path data = folder.resolve("data");
    try (RunningServer server = RunningServer.start(data)) {
      long now = System.currentTimeMillis();
      for (long at : new long[] {now + 660_000, now + 540_000}) {
        String body = "{\"riderId\":\"r\",\"at\":%d,\"lat\":1,\"lon\":1}".formatted(at);
        assertThat(server.post("/v1/traces", body).status()).isEqualTo(202);
      }
      String[] lines = run("log", "cat", "--data", data.toString()).split("\n", -1);
      assertThat(lines[1]).endsWith("},\"flags\":[\"clock\"]}");
      assertThat(lines[2]).doesNotContain("flags");
    }
  }

  @Test
  void logVerify_damagedByte_failsAndNamesTheFile() throws Exception {
    Path data = folder.resolve("data");
    try (RunningServer server = RunningServer.start(data)) {
      for (int i = 0; i < 3; i++) {
        Path file = recording(100 + i);
        run(
            "replay",
            file.toString(),
            new String[] {"--url", server.uri("").toString(), "--data", data.toString()});
      }
    }
    Path segment = data.resolve("log/00000000000000000001.log");
    try (FileChannel channel = FileChannel.open(segment, StandardOpenOption.WRITE)) {
      channel.write(ByteBuffer.wrap(new byte[] {1, 2, 3}), 64 + 48 + 200);
    }
    assertThat(run("log", "verify", "--data", data.toString()))
        .startsWith("1\n")
        .contains("the log is damaged", segment.getFileName().toString());
  }

  @Test
  void log_folderWithoutLog_saysSo() throws Exception {
    assertThat(run("log", "ls", "--data", folder.toString()))
        .startsWith("1\n")
        .contains("is no data folder");
    assertThat(run("log", "cat", "--stream", "trails", "--data", folder.toString()))
        .startsWith("2\n")
        .contains("--stream trails is none of traces, actions");
  }

  @Test
  void keys_createdListedAndRevoked_workWithTheServer() throws Exception {
    Path data = folder.resolve("data");
    try (RunningServer server = RunningServer.start(data)) {
      String[] access = {"--url", server.uri("").toString(), "--data", data.toString()};
      String created = run("keys", "create", "app", "--scopes=collect", "--expires-in=1d", access);
      assertThat(created).startsWith("0\ngk_");
      String key = created.substring(2).strip();
      String id = key.split("_")[1];
      assertThat(run("keys", "list", access)).containsPattern(id + " +app +collect +- +20");
      String[] withKey = {"--url", server.uri("").toString(), "--key", key};
      assertThat(run("replay", recording(5).toString(), withKey)).startsWith("0\n5 of 5");
      assertThat(run("keys", "list", withKey)).startsWith("1\n").contains("403");
      assertThat(run("keys", "revoke", id, access)).startsWith("0\nrevoked " + id);
      assertThat(run("replay", recording(5).toString(), withKey)).startsWith("1\n").contains("401");
    }
  }

  @Test
  void keys_ofAStoppedServer_areThoseOfItsFolder() throws Exception {
    Path data = folder.resolve("data");
    String[] where = {"--data", data.toString()};
    RunningServer.start(data).close();
    String created = run("keys", "create", "app", "--scopes=collect,read", "--rider=r-7", where);
    assertThat(created).startsWith("0\ngilmok: no server runs on ").contains("\ngk_");
    String key = created.strip().substring(created.lastIndexOf("\ngk_") + 1);
    assertThat(run("keys", "list", where)).containsPattern("app +collect,read +rider r-7 +- +-");
    try (RunningServer server = RunningServer.start(data)) {
      String[] withKey = {"--url", server.uri("").toString(), "--key", key};
      assertThat(run("replay", recording(5).toString(), withKey)).contains("403", "somebody else");
    }
    assertThat(run("keys", "revoke", key.split("_")[1], where)).startsWith("0\n");
    assertThat(run("keys", "revoke", "nobody", where)).startsWith("1\n").contains("no key nobody");
    assertThat(run("keys", "create", "a", "--scopes=all", where)).startsWith("2\n");
  }

  private Path recording(int count) throws IOException {
    StringBuilder text = new StringBuilder("rider,at,lat,lon,speed_mps,zone\n");
    for (int i = 0; i < count; i++) {
      text.append("r-%d,%d,37.%04d,127.5,4.5,z\"%n".formatted(i % 7, 1_700_000_000 + i, i));
    }
    Path file = folder.resolve("recording-" + count + ".csv");
    Files.writeString(file, text.toString().replace("z\"", "\"z \"\"1\"\"\""));
    return file;
  }

  /** Runs a command of words and arrays of words; returns its exit code, then its output below. */
  private static String run(Object... arguments) {
    StringWriter text = new StringWriter();
    PrintWriter out = new PrintWriter(text, true);
    String[] flat =
        Arrays.stream(arguments)
            .flatMap(
                one -> one instanceof String[] many ? Arrays.stream(many) : Stream.of((String) one))
            .toArray(String[]::new);
    int code = Commands.run(out, out, flat);
    return code + "\n" + text;
  }
}

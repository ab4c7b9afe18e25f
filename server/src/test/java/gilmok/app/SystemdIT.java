package gilmok.app;

import static org.assertj.core.api.Assertions.assertThat;

import gilmok.Needed;
import gilmok.Repository;
import gilmok.app.Program.Ended;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * ops/gilmok.service by systemd's own checks, and a server with what of it can be had without
 * systemd: its limits, no capabilities, a file system that cannot be written, and a trace of what
 * its filters would see.
 */
@Tag("process")
final class SystemdIT {
  /** In tenths, as {@code systemd-analyze security} counts: 0 is safe, 100 is not. */
  private static final int EXPOSURE_MAX = 15;

  /** Calls that are so many that they are not traced; that they are allowed is checked apart. */
  private static final Set<String> NOT_TRACED =
      Set.of("epoll_wait", "futex", "pread64", "pwrite64", "read", "recvfrom", "write");

  private static final Pattern CALL = Pattern.compile("(?m)^\\d+ +(?:<\\.\\.\\. )?(\\w+)[( ]");
  private static final Pattern SOCKET = Pattern.compile("socket(?:pair)?\\((AF_\\w+)");
  private static final String WRITTEN_AND_RUN = "PROT_WRITE|PROT_EXEC";

  @TempDir Path folder;

  @Test
  void unit_isValid() throws Exception {
    Needed.program("systemd-analyze", "systemd");
    String text = OpsFiles.text("gilmok.service");
    assertThat(text).contains("ExecStart=/opt/gilmok/gilmok ");
    Path unit = folder.resolve("gilmok.service");
    String here = Repository.root().resolve("gilmok").toString();
    Files.writeString(unit, text.replace("/opt/gilmok/gilmok", here));
    assertThat(succeed("systemd-analyze", "verify", "--recursive-errors=no", unit.toString()))
        .isEmpty();
  }

  @Test
  void unit_isHardened() throws Exception {
    Needed.program("systemd-analyze", "systemd");
    succeed(
        "systemd-analyze",
        "security",
        "--offline=true",
        "--threshold=" + EXPOSURE_MAX,
        "--no-pager",
        OpsFiles.path("gilmok.service").toString());
  }

  /** The warm-up sends requests of every kind, and has plans made by a process of their own. */
  @Test
  void server_calls_areAllowedByTheFilter() throws Exception {
    Needed.program("systemd-analyze", "systemd");
    Needed.program("strace", "strace");
    Set<String> allowed = allowed();
    assertThat(allowed).containsAll(NOT_TRACED);
    Path trace = folder.resolve("trace");
    String filter = "trace=!" + String.join(",", NOT_TRACED);
    List<String> strace =
        List.of("strace", "-f", "--seccomp-bpf", "-qq", "-e", filter, "-o", trace.toString());
    try (Program server =
        Program.startUnder(
            strace,
            "serve",
            "--port=0",
            "--data=" + folder.resolve("data"),
            "--set=http.host=127.0.0.1",
            "--set=sinks.enabled=files,redis",
            // Nobody is there, but the name is looked up.
            "--set=redis.url=redis://localhost:1",
            "--set=warm-up.limit=1 s",
            "--until-ready")) {
      Ended ended = server.end();
      assertThat(ended.code()).as(ended.err()).isZero();
    }
    String calls = Files.readString(trace);
    Set<String> made = found(CALL, calls);
    assertThat(made).contains("clone3", "execve", "fdatasync", "socket");
    // Only root's SQLite gives its files to their folder's owner; the service is never root.
    allowed.add("fchown");
    assertThat(allowed).containsAll(made);
    String families = OpsFiles.unit("RestrictAddressFamilies").getFirst();
    assertThat(families.split(" ", -1)).containsAll(found(SOCKET, calls));
    assertThat(calls).as("why memory may be written and run").contains(WRITTEN_AND_RUN);
  }

  @Test
  void server_runsWithWhatTheUnitLeavesIt_andEndsWithItsExitCodes() throws Exception {
    List<String> under = confined();
    Path data = folder.resolve("data");
    String[] serving = Program.serving(data).toArray(String[]::new);
    try (Program server = Program.startUnder(under, serving)) {
      server.awaitReady();
      server.hangUp();
      Program.await(() -> server.logged().contains("reloaded: "));
      server.terminate();
      Ended ended = server.end();
      assertThat(ended.code()).as(ended.err()).isZero();
    }
    List<String> wrong = Program.serving(data);
    wrong.add("--set=no.such=setting");
    try (Program server = Program.startUnder(under, wrong.toArray(String[]::new))) {
      assertThat(server.end().code())
          .isEqualTo(Integer.parseInt(OpsFiles.unit("RestartPreventExitStatus").getFirst()));
    }
  }

  /**
   * The README's lines, without the build that they begin with. No Maven is there, so a launcher
   * that took its folder for one to build would fail.
   */
  @Test
  void readmesLines_installALauncherThatStartsWhatIsThere() throws Exception {
    for (String name : List.of("sudo", "useradd", "systemctl")) {
      script("bin/" + name, name.equals("sudo") ? "exec \"$@\"" : "echo $0 $* >>told");
    }
    script("jdk/bin/java", "echo $* >\"$HOME\"/java.told");
    Files.writeString(folder.resolve("jdk/release"), "JAVA_VERSION=\"25.0.3\"\n");
    script("gilmok", "");
    Path launcher = Repository.root().resolve("gilmok");
    Files.copy(launcher, folder.resolve("gilmok"), StandardCopyOption.REPLACE_EXISTING);
    Files.createDirectories(folder.resolve("server/target/packs"));
    for (String built : List.of("gilmok-all.jar", "gilmok.aot", "packs/gilmok-kafka.jar")) {
      Files.writeString(folder.resolve("server/target").resolve(built), built);
    }
    FileTime before = FileTime.from(Instant.now().minusSeconds(60));
    Files.setLastModifiedTime(folder.resolve("server/target/gilmok-all.jar"), before);
    Files.createDirectories(folder.resolve("etc/systemd/system"));
    Files.createDirectories(folder.resolve("ops"));
    for (String name : List.of("gilmok.yaml", "gilmok.env", "gilmok.service")) {
      Files.copy(OpsFiles.path(name), folder.resolve("ops").resolve(name));
    }
    String lines = OpsFiles.pasted("systemctl enable");
    assertThat(lines).startsWith("./gilmok build\n");
    String here = lines.replace("./gilmok build\n", "").replaceAll(" /(opt|etc)/", " \\$PWD/$1/");
    String environment = "export PATH=$PWD/bin:$PATH HOME=$PWD JAVA_HOME=$PWD/jdk\n";
    succeed("bash", "-euc", "cd " + folder + "\n" + environment + here);

    assertThat(Files.readAllLines(folder.resolve("told"))).hasSize(3);
    assertThat(folder.resolve("etc/gilmok/gilmok.env")).exists();
    String start = OpsFiles.unit("ExecStart").getFirst();
    succeed("bash", "-euc", "cd " + folder + "\n" + environment + "." + start);
    assertThat(Files.readString(folder.resolve("java.told")))
        .contains("-XX:AOTCache=" + folder.toRealPath() + "/opt/gilmok/server/target/gilmok.aot")
        .contains("/opt/gilmok/server/target/packs/gilmok-kafka.jar gilmok.process.Main serve")
        .endsWith(start.substring(start.indexOf(" serve")) + "\n");
  }

  private void script(String path, String text) throws Exception {
    Path file = folder.resolve(path);
    Files.createDirectories(file.getParent());
    Files.writeString(file, "#!/bin/sh\n" + text + "\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  /** What has the rest of its arguments run with the unit's limits, as far as this user may. */
  private List<String> confined() throws Exception {
    long files = Math.min(filesMax(), Long.parseLong(OpsFiles.unit("LimitNOFILE").getFirst()));
    List<String> under =
        new ArrayList<>(
            List.of("prlimit", "--nofile=%d:%<d".formatted(files), "--core=0:0", "setpriv"));
    under.add("--no-new-privs");
    if (can("setpriv", "--inh-caps=-all", "--bounding-set=-all", "true")) {
      under.addAll(List.of("--inh-caps=-all", "--bounding-set=-all"));
    }
    // As ProtectSystem=strict: nothing can be written but below the tests' own temporary folder.
    String writable = System.getProperty("java.io.tmpdir");
    String readOnly = "mount --bind \"$0\" \"$0\" && mount -o remount,bind,ro / && exec \"$@\"";
    String[] unshare = {
      "unshare", "--mount", "--propagation=private", "sh", "-c", readOnly, writable
    };
    String[] tried = Arrays.copyOf(unshare, unshare.length + 1);
    tried[unshare.length] = "true";
    if (can(tried)) {
      under.addAll(0, List.of(unshare));
    }
    return under;
  }

  /** The most that this process may give to another. */
  private static long filesMax() throws Exception {
    Matcher limit =
        Pattern.compile("(?m)^Max open files +\\d+ +(\\d+)")
            .matcher(Files.readString(Path.of("/proc/self/limits")));
    return limit.find() ? Long.parseLong(limit.group(1)) : Long.MAX_VALUE;
  }

  /**
   * The calls that the unit's lines let through, in their order: a line with a tilde takes away.
   */
  private Set<String> allowed() throws Exception {
    Set<String> allowed = new TreeSet<>();
    for (String line : OpsFiles.unit("SystemCallFilter")) {
      boolean takesAway = line.startsWith("~");
      for (String word : line.substring(takesAway ? 1 : 0).split(" ", -1)) {
        Set<String> calls = members(word);
        assertThat(takesAway ? allowed.removeAll(calls) : allowed.addAll(calls)).as(line).isTrue();
      }
    }
    // systemd lets these through in any case.
    allowed.addAll(members("@default"));
    return allowed;
  }

  private Set<String> members(String group) throws Exception {
    Set<String> members = new TreeSet<>();
    if (!group.startsWith("@")) {
      members.add(group);
      return members;
    }
    String said = succeed("systemd-analyze", "--no-pager", "syscall-filter", group);
    for (String line : said.lines().skip(1).map(String::strip).toList()) {
      if (!line.isEmpty() && !line.startsWith("#")) {
        members.addAll(members(line));
      }
    }
    return members;
  }

  private static Set<String> found(Pattern pattern, String text) {
    Set<String> found = new TreeSet<>();
    pattern.matcher(text).results().forEach(one -> found.add(one.group(1)));
    return found;
  }

  /** Runs a program that must succeed; returns what it said. */
  private String succeed(String... command) throws Exception {
    int status = run(command);
    String text = Files.readString(folder.resolve("said"));
    assertThat(status).as(text).isZero();
    return text;
  }

  private boolean can(String... command) throws Exception {
    return run(command) == 0;
  }

  private int run(String... command) throws Exception {
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("said").toFile())
            .start();
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    return process.exitValue();
  }
}

package gilmok.lab.missions;

import gilmok.lab.LabClient;
import gilmok.lab.Servers;
import gilmok.lab.Subject;
import gilmok.lab.load.LoadPlan;
import gilmok.lab.load.LoadRun;
import gilmok.lab.load.Requests;
import gilmok.lab.load.Workload;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * The setup for measuring missions: servers of this build filled with generated missions, the ways
 * they are compared with, Redis, a database. Not thread-safe.
 */
record Rig(
    Servers servers, Setup setup, Times times, MadeUpMissions made, Consumer<String> progress) {
  private static final int FILL_CONNECTIONS = 64;
  private static final long SEEN_NANOS_MAX = 10_000_000_000L;
  private static final int OK = 200;
  private static final int NOT_MODIFIED = 304;

  private static final String DATABASE = "missions_" + ProcessHandle.current().pid();

  /**
   * The programs and options of the measurements.
   *
   * @param root the root of the repository
   * @param heap the heap of each server, in Java's notation
   * @param redis the Redis program
   * @param databasePort the port on loopback of a running MongoDB; null to start one
   * @param settings further settings of this build's server
   */
  record Setup(
      Path root,
      String heap,
      String redis,
      @Nullable Integer databasePort,
      List<String> settings) {}

  /**
   * The times of the measurements.
   *
   * @param ownWarmup seconds of the first load of each server
   * @param warmup seconds of load before each measurement
   * @param seconds of each measurement
   */
  record Times(double ownWarmup, double warmup, double seconds, int rounds, int connections) {}

  void tell(String line) {
    progress.accept(line);
  }

  /** Starts the server of this build, with further settings. */
  Subject gilmok(List<String> settings) throws IOException, InterruptedException {
    List<String> arguments = new ArrayList<>();
    for (List<String> some : List.of(settings, setup.settings)) {
      some.forEach(setting -> arguments.addAll(List.of("--set", setting)));
    }
    Subject gilmok = servers.gilmok(setup.heap, arguments);
    progress.accept("gilmok runs as " + gilmok.pid() + " " + settings);
    return gilmok;
  }

  /** Starts a process that serves one way. */
  Subject way(AnswerWay way, List<String> more) throws IOException, InterruptedException {
    int port = Servers.freePort();
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "missions-way",
                "--port",
                Integer.toString(port),
                "--way",
                way.name(),
                "--riders",
                Integer.toString(made.riders())));
    arguments.addAll(more);
    return servers.labServing(way.label(), port, setup.heap, arguments);
  }

  Subject redis() throws IOException, InterruptedException {
    return servers.redis(setup.redis);
  }

  Subject redis(int port) throws IOException, InterruptedException {
    return servers.redis(setup.redis, port);
  }

  /** Starts a database; null if one is running already. */
  @Nullable Subject database() throws IOException, InterruptedException {
    return setup.databasePort == null ? servers.secantus(setup.root) : null;
  }

  /** The setting by which servers share a database. */
  String shared(@Nullable Subject own) {
    int port = own == null ? Objects.requireNonNull(setup.databasePort) : own.port();
    return "documents.mongo-uri=mongodb://127.0.0.1:"
        + port
        + "/"
        + DATABASE
        + "?directConnection=true";
  }

  /** The setting by which servers share a Redis. */
  static String shares(Subject redis) {
    return "redis.url=" + RedisDesk.url(redis.port());
  }

  /** Writes all missions, and the progress of the first riders. */
  void fill(Subject gilmok, int riders) throws IOException, InterruptedException {
    List<byte[]> missions =
        IntStream.range(0, MadeUpMissions.COUNT)
            .mapToObj(i -> put("/v1/missions/" + MadeUpMissions.id(i), made.mission(i).toString()))
            .toList();
    put(gilmok, missions);
    long until = System.nanoTime() + SEEN_NANOS_MAX;
    while (items(ask(gilmok, 0, "identity", "").body()) != made.open(0).size()) {
      if (System.nanoTime() - until > 0) {
        throw new IOException("missions that were put are not seen");
      }
      TimeUnit.MILLISECONDS.sleep(50);
    }
    List<byte[]> progresses = new ArrayList<>();
    for (int rider = 0; rider < riders; rider++) {
      for (int number : MadeUpMissions.progressed()) {
        progresses.add(
            put(
                "/v1/riders/"
                    + MadeUpMissions.rider(rider)
                    + "/missions/"
                    + MadeUpMissions.id(number)
                    + "/progress",
                made.progress(rider, number).toString()));
      }
    }
    put(gilmok, progresses);
    progress.accept("filled: " + missions.size() + " missions, " + progresses.size() + " more");
  }

  private static byte[] put(String path, String json) {
    return Requests.send("PUT", path, Servers.KEY, json, Requests.JSON);
  }

  private static void put(Subject gilmok, List<byte[]> requests)
      throws IOException, InterruptedException {
    Iterator<byte[]> all = requests.iterator();
    LoadPlan plan =
        LoadPlan.closed(List.of(gilmok.port()), FILL_CONNECTIONS).times(requests.size());
    new LoadRun(plan, Workload.of(all::next)).run().orThrow();
  }

  /** The number of missions in a response. */
  static int items(byte[] plain) {
    return JsonMapper.shared().readTree(plain).path("items").size();
  }

  /**
   * Sends one request.
   *
   * @param etag the known ETag; empty for none
   */
  HttpResponse<byte[]> ask(Subject server, int rider, String coding, String etag)
      throws IOException, InterruptedException {
    try (LabClient client = new LabClient(server)) {
      return ask(client, rider, coding, etag);
    }
  }

  private static HttpResponse<byte[]> ask(LabClient client, int rider, String coding, String etag)
      throws IOException, InterruptedException {
    List<String> headers = new ArrayList<>(List.of("Accept-Encoding", coding));
    if (!etag.isEmpty()) {
      headers.addAll(List.of("If-None-Match", etag));
    }
    HttpResponse<byte[]> answer =
        client.exchange("GET", path(rider), "", headers.toArray(String[]::new));
    if (answer.statusCode() != OK && answer.statusCode() != NOT_MODIFIED) {
      throw new IOException(path(rider) + " was answered " + answer.statusCode());
    }
    return answer;
  }

  /** The ETag of a response; empty if there is none. */
  static String etag(HttpResponse<byte[]> answer) {
    return answer.headers().firstValue("ETag").orElse("");
  }

  private static String path(int rider) {
    return "/v1/riders/" + MadeUpMissions.rider(rider) + "/missions";
  }

  private static byte[] get(int rider, String... headers) {
    return Requests.get(path(rider), Servers.KEY, headers);
  }

  /**
   * A closed loop of requests for the missions of the first riders.
   *
   * @param coding the accepted content coding
   */
  Load asking(List<Subject> among, int riders, String coding) {
    String accepted = "Accept-Encoding: " + coding;
    List<byte[]> requests =
        IntStream.range(0, riders).mapToObj(rider -> get(rider, accepted)).toList();
    return load(among, new MissionRequests(requests, OK, !coding.equals("identity")));
  }

  /** The same load from clients that have the current version. */
  Load askingAgain(Subject gilmok, int riders) throws IOException, InterruptedException {
    List<byte[]> requests = new ArrayList<>();
    try (LabClient client = new LabClient(gilmok)) {
      for (int rider = 0; rider < riders; rider++) {
        String etag = etag(ask(client, rider, "gzip", ""));
        requests.add(get(rider, "Accept-Encoding: gzip", "If-None-Match: " + etag));
      }
    }
    return load(List.of(gilmok), new MissionRequests(requests, NOT_MODIFIED, false));
  }

  private Load load(List<Subject> among, MissionRequests requests) {
    List<Integer> ports = among.stream().map(Subject::port).toList();
    return new Load(LoadPlan.closed(ports, times.connections), requests)
        .at(0, times.warmup, times.seconds);
  }

  /** The present value of a counter of the missions' cache, summed over servers. */
  static double count(List<Subject> gilmoks, String metric)
      throws IOException, InterruptedException {
    double sum = 0;
    for (Subject gilmok : gilmoks) {
      sum += Servers.metrics(gilmok).sum(metric, "cache=\"missions\"");
    }
    return sum;
  }

  /** The number of loads from the source. */
  static double loads(List<Subject> gilmoks) throws IOException, InterruptedException {
    return count(gilmoks, "gilmok_cache_loads_total");
  }
}

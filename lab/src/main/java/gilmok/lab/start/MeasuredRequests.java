package gilmok.lab.start;

import com.github.luben.zstd.Zstd;
import gilmok.warmup.RequestTemplate;
import gilmok.warmup.ScriptClient;
import gilmok.warmup.ScriptRequest;
import gilmok.warmup.WarmUpScript;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Measures the first request of every route and branch in {@code first.http}, over one connection,
 * in an order shuffled by a seed; then the same requests again and again, for their steady times.
 * The server's warm-up does not contain these requests. Not thread-safe.
 */
final class MeasuredRequests {
  private static final long FIRST_NUMBER = 1_000_000;
  private static final String ROUND = "round";

  private final List<ScriptRequest> shots;
  private final int rounds;
  private final RequestTemplate template;
  private final ScriptClient.Connector connector;
  private final Set<String> surprises = new LinkedHashSet<>();
  private final Set<ScriptRequest> surprised = new HashSet<>();
  private @Nullable ScriptClient client;

  /**
   * The times of one request.
   *
   * @param first the time of the first, in microseconds
   * @param steady the median of the last half of the others
   * @param late the share of that half that took longer than the bound of a first request
   * @param isExpected whether the first was answered as its script says
   */
  record Figure(
      String name, String target, double first, double steady, double late, boolean isExpected) {
    private static final double TIMES = 1.5;
    private static final double MICROS_MORE = 1000;

    /** The longest allowed time of a first request. */
    double bound() {
      return Math.max(TIMES * steady, steady + MICROS_MORE);
    }

    boolean holds() {
      return isExpected && first <= bound();
    }

    double ratio() {
      return first / steady;
    }
  }

  /**
   * Requests to a server.
   *
   * @param connector opens connections to it
   * @param values the values of placeholders
   * @param rounds how often each is sent after its first
   */
  MeasuredRequests(ScriptClient.Connector connector, Map<String, String> values, int rounds) {
    this.connector = connector;
    this.rounds = rounds;
    shots = script().shots();
    template = new RequestTemplate(new AtomicLong(FIRST_NUMBER), values, Zstd::compress);
  }

  /** The script of requests. */
  static WarmUpScript script() {
    try (InputStream in = MeasuredRequests.class.getResourceAsStream("first.http")) {
      if (in == null) {
        throw new IllegalStateException("no first.http");
      }
      return WarmUpScript.parse("first", new String(in.readAllBytes(), StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * Sends all requests.
   *
   * @throws IOException also when a response is not as expected
   */
  List<Figure> run(Random random) throws IOException {
    return run(random, true);
  }

  /** The same for a server that has too little to answer all as expected, and says so. */
  List<Figure> runWhateverIsAnswered(Random random) throws IOException {
    return run(random, false);
  }

  private List<Figure> run(Random random, boolean isStrict) throws IOException {
    try {
      Map<ScriptRequest, Double> firsts = new HashMap<>();
      template.remember(ROUND, "first");
      for (ScriptRequest scriptRequest : shuffled(shots, random)) {
        firsts.put(scriptRequest, micros(scriptRequest));
      }
      Set<ScriptRequest> unexpected = Set.copyOf(surprised);
      check(isStrict);
      Map<ScriptRequest, double[]> later = new HashMap<>();
      shots.forEach(scriptRequest -> later.put(scriptRequest, new double[rounds]));
      for (int i = 0; i < rounds; i++) {
        template.remember(ROUND, Integer.toString(i));
        for (ScriptRequest scriptRequest : shots) {
          later.getOrDefault(scriptRequest, new double[0])[i] = micros(scriptRequest);
        }
      }
      check(isStrict);
      List<Figure> figures = new ArrayList<>();
      for (ScriptRequest scriptRequest : shots) {
        double[] all = later.getOrDefault(scriptRequest, new double[0]);
        double first = firsts.getOrDefault(scriptRequest, Double.NaN);
        figures.add(figure(scriptRequest, first, all, !unexpected.contains(scriptRequest)));
      }
      return figures;
    } finally {
      if (client != null) {
        client.close();
      }
    }
  }

  private void check(boolean isStrict) throws IOException {
    if (isStrict && !surprises.isEmpty()) {
      throw new IOException("not answered as first.http says: " + String.join("; ", surprises));
    }
  }

  private static Figure figure(
      ScriptRequest scriptRequest, double first, double[] all, boolean isExpected) {
    double[] half = Arrays.copyOfRange(all, all.length / 2, all.length);
    double steady = Spread.of(half).median();
    double bound = new Figure("", "", 0, steady, 0, true).bound();
    long late = Arrays.stream(half).filter(micros -> micros > bound).count();
    return new Figure(
        scriptRequest.name(),
        scriptRequest.target(),
        first,
        steady,
        (double) late / half.length,
        isExpected);
  }

  private double micros(ScriptRequest scriptRequest) throws IOException {
    ScriptClient open = client;
    if (open == null || open.isOver()) {
      if (open != null) {
        open.close();
      }
      open = connector.connect(0);
      client = open;
    }
    byte[] request = template.request(scriptRequest);
    long began = System.nanoTime();
    int status = open.exchange(request);
    double micros = (System.nanoTime() - began) / 1e3;
    if (!scriptRequest.expected().contains(status)) {
      surprised.add(scriptRequest);
      surprises.add(
          scriptRequest.name() + " (" + scriptRequest.target() + ") was answered " + status);
    }
    template.remember(scriptRequest, open);
    return micros;
  }

  /** Shuffles the requests; those that share a remembered value keep their order. */
  static List<ScriptRequest> shuffled(List<ScriptRequest> shots, Random random) {
    List<String> names = new ArrayList<>(List.of(ROUND));
    for (ScriptRequest scriptRequest : shots) {
      scriptRequest.remembers().forEach(capture -> names.add(capture.name()));
    }
    List<Integer> places = new ArrayList<>();
    Map<String, List<Integer>> chains = new HashMap<>();
    for (int i = 0; i < shots.size(); i++) {
      places.add(i);
      for (String name : names) {
        if (isOf(shots.get(i), name)) {
          chains.computeIfAbsent(name, _ -> new ArrayList<>()).add(i);
        }
      }
    }
    Collections.shuffle(places, random);
    for (List<Integer> chain : chains.values()) {
      List<Integer> theirs = new ArrayList<>(chain.stream().map(places::get).sorted().toList());
      for (int i = 0; i < chain.size(); i++) {
        places.set(chain.get(i), theirs.get(i));
      }
    }
    List<ScriptRequest> ordered = new ArrayList<>(shots);
    for (int i = 0; i < shots.size(); i++) {
      ordered.set(places.get(i), shots.get(i));
    }
    return ordered;
  }

  private static boolean isOf(ScriptRequest scriptRequest, String name) {
    return scriptRequest.mentions(name)
        || scriptRequest.remembers().stream().anyMatch(capture -> capture.name().equals(name));
  }
}

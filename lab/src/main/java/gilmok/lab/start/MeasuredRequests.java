package gilmok.lab.start;

import com.github.luben.zstd.Zstd;
import gilmok.warmup.Rendering;
import gilmok.warmup.Script;
import gilmok.warmup.Shot;
import gilmok.warmup.Wire;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The first request of every route and branch in {@code first.http}, by one connection in an order
 * that a seed shuffles, and then the same again and again for what each takes steadily. The
 * server's warm-up does not know these requests. Not thread-safe.
 */
final class MeasuredRequests {
  private static final long FIRST_NUMBER = 1_000_000;
  private static final String ROUND = "round";

  private final List<Shot> shots;
  private final int rounds;
  private final Rendering rendering;
  private final int port;
  private final Set<String> surprises = new LinkedHashSet<>();
  private @Nullable Wire wire;

  /**
   * One request.
   *
   * @param first what the first took, in microseconds
   * @param steady the median of the last half of the others
   * @param late the share of that half which took longer than a first may
   */
  record Figure(String name, String target, double first, double steady, double late) {
    private static final double TIMES = 1.5;
    private static final double MICROS_MORE = 1000;

    /** What a first may take. */
    double bound() {
      return Math.max(TIMES * steady, steady + MICROS_MORE);
    }

    boolean holds() {
      return first <= bound();
    }

    double ratio() {
      return first / steady;
    }
  }

  /**
   * @param values of placeholders
   * @param rounds how often each is sent after its first
   */
  MeasuredRequests(int port, Map<String, String> values, int rounds) {
    this.port = port;
    this.rounds = rounds;
    shots = script().shots();
    rendering = new Rendering(new AtomicLong(FIRST_NUMBER), values, Zstd::compress);
  }

  /** What is sent. */
  static Script script() {
    try (InputStream in = MeasuredRequests.class.getResourceAsStream("first.http")) {
      if (in == null) {
        throw new IllegalStateException("no first.http");
      }
      return Script.parse("first", new String(in.readAllBytes(), StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  /** A GET without a key. */
  static byte[] get(String path) {
    return ("GET " + path + " HTTP/1.1\r\nHost: lab\r\n\r\n").getBytes(StandardCharsets.US_ASCII);
  }

  /**
   * Sends all of them.
   *
   * @throws IOException also when something is not answered as it should be
   */
  List<Figure> run(Random random) throws IOException {
    try {
      Map<Shot, Double> firsts = new HashMap<>();
      rendering.remember(ROUND, "first");
      for (Shot shot : shuffled(shots, random)) {
        firsts.put(shot, micros(shot));
      }
      check();
      Map<Shot, double[]> later = new HashMap<>();
      shots.forEach(shot -> later.put(shot, new double[rounds]));
      for (int i = 0; i < rounds; i++) {
        rendering.remember(ROUND, Integer.toString(i));
        for (Shot shot : shots) {
          later.getOrDefault(shot, new double[0])[i] = micros(shot);
        }
      }
      check();
      List<Figure> figures = new ArrayList<>();
      for (Shot shot : shots) {
        double[] all = later.getOrDefault(shot, new double[0]);
        figures.add(figure(shot, firsts.getOrDefault(shot, Double.NaN), all));
      }
      return figures;
    } finally {
      if (wire != null) {
        wire.close();
      }
    }
  }

  private void check() throws IOException {
    if (!surprises.isEmpty()) {
      throw new IOException("not answered as first.http says: " + String.join("; ", surprises));
    }
  }

  private static Figure figure(Shot shot, double first, double[] all) {
    double[] half = Arrays.copyOfRange(all, all.length / 2, all.length);
    double steady = Spread.of(half).median();
    double bound = new Figure("", "", 0, steady, 0).bound();
    long late = Arrays.stream(half).filter(micros -> micros > bound).count();
    return new Figure(shot.name(), shot.target(), first, steady, (double) late / half.length);
  }

  private double micros(Shot shot) throws IOException {
    Wire open = wire;
    if (open == null || open.isOver()) {
      if (open != null) {
        open.close();
      }
      open = new Wire(port);
      wire = open;
    }
    byte[] request = rendering.request(shot);
    long began = System.nanoTime();
    int status = open.exchange(request);
    double micros = (System.nanoTime() - began) / 1e3;
    if (!shot.expected().contains(status)) {
      surprises.add(shot.name() + " (" + shot.target() + ") was answered " + status);
    }
    rendering.remember(shot, open);
    return micros;
  }

  /** In another order; those that share something remembered stay in theirs. */
  static List<Shot> shuffled(List<Shot> shots, Random random) {
    List<String> names = new ArrayList<>(List.of(ROUND));
    for (Shot shot : shots) {
      shot.remembers().forEach(memory -> names.add(memory.name()));
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
    List<Shot> ordered = new ArrayList<>(shots);
    for (int i = 0; i < shots.size(); i++) {
      ordered.set(places.get(i), shots.get(i));
    }
    return ordered;
  }

  private static boolean isOf(Shot shot, String name) {
    return shot.mentions(name)
        || shot.remembers().stream().anyMatch(memory -> memory.name().equals(name));
  }
}

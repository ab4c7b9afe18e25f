package gilmok.lab.missions;

import com.github.luben.zstd.ZstdInputStream;
import gilmok.lab.Subject;
import gilmok.lab.load.LoadRun;
import gilmok.lab.load.RunResult;
import gilmok.lab.report.BarChart;
import gilmok.lab.report.Chapter;
import gilmok.lab.report.Chapter.Verdict;
import gilmok.lab.report.Figures;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Measures warm responses: their rate, and the latency at half of it, beside responses that are
 * encoded anew for each request behind the same HTTP edge; in each content coding, and for clients
 * that have the current version. Not thread-safe.
 */
final class AnswerPart {
  private static final double RATE = 10_000;
  private static final double P50_MILLIS = 1;
  private static final double P99_MILLIS = 5;
  private static final double RATIO = 10;
  private static final double SIZE = 1.15;

  private static final String HEAD =
      "what | asked | answers/s | p50 ms | p99 ms | server µs | server, processors"
          + " | load, processors | bytes | errors";

  private final Rig rig;
  private final List<List<String>> rows = new ArrayList<>();
  private final List<BarChart.Bar> rates = new ArrayList<>();
  private final List<BarChart.Bar> tails = new ArrayList<>();
  private String sizes = "";
  private long errors;

  AnswerPart(Rig rig) {
    this.rig = rig;
  }

  Chapter run() throws IOException, InterruptedException {
    int riders = rig.made().riders();
    try (Subject gilmok = rig.gilmok(List.of());
        Subject each = rig.way(AnswerWay.EACH, List.of())) {
      rig.fill(gilmok, riders);
      final double size = size(gilmok);
      Load ours = rig.asking(List.of(gilmok), riders, "gzip");
      Load theirs = rig.asking(List.of(each), riders, "gzip");
      Rig.Times times = rig.times();
      rig.tell("warming up");
      for (Load load : List.of(ours, theirs)) {
        load.warm(0, times.ownWarmup());
      }
      List<RunResult> ourRuns = new ArrayList<>();
      List<RunResult> theirRuns = new ArrayList<>();
      for (int round = 0; round < times.rounds(); round++) {
        ourRuns.add(measure("ours, gzip, " + riders + " riders", gilmok, ours));
        theirRuns.add(measure("each anew, gzip 1, " + riders + " riders", each, theirs));
      }
      final double highest = Figures.median(ourRuns, RunResult::perSecond);
      final double ratio = highest / Figures.median(theirRuns, RunResult::perSecond);
      List<RunResult> half = new ArrayList<>();
      for (int round = 0; round < times.rounds(); round++) {
        half.add(
            measure("ours, gzip", gilmok, ours.at(highest / 2, times.warmup(), times.seconds())));
      }
      double theirHalf = Figures.median(theirRuns, RunResult::perSecond) / 2;
      RunResult _ =
          measure("each anew, gzip 1", each, theirs.at(theirHalf, times.warmup(), times.seconds()));
      others(gilmok, riders);
      return chapter(highest, ratio, half, size);
    }
  }

  private void others(Subject gilmok, int riders) throws IOException, InterruptedException {
    RunResult _ = measure("ours, gzip, one rider", gilmok, rig.asking(List.of(gilmok), 1, "gzip"));
    for (String coding : List.of("zstd", "identity")) {
      RunResult _ = measure("ours, " + coding, gilmok, rig.asking(List.of(gilmok), riders, coding));
    }
    RunResult _ = measure("ours, 304", gilmok, rig.askingAgain(gilmok, riders));
  }

  /** The size with gzip at level 6; first checks that all codings decode to the same bytes. */
  private double size(Subject gilmok) throws IOException, InterruptedException {
    byte[] plain = rig.ask(gilmok, 1, "identity", "").body();
    HttpResponse<byte[]> gzip = rig.ask(gilmok, 1, "gzip", "");
    HttpResponse<byte[]> zstd = rig.ask(gilmok, 1, "zstd", "");
    same("gzip", gzip, plain, Packing.gunzip(gzip.body()));
    try (ZstdInputStream in = new ZstdInputStream(new ByteArrayInputStream(zstd.body()))) {
      same("zstd", zstd, plain, in.readAllBytes());
    }
    if (rig.ask(gilmok, 1, "gzip", Rig.etag(gzip)).statusCode() != 304) {
      throw new IOException("asked again with " + Rig.etag(gzip) + ", it is not answered by 304");
    }
    int small = Packing.gzip(plain, 6).length;
    int fast = Packing.gzip(plain, 1).length;
    sizes =
        "Bytes of one answer: identity "
            + Figures.whole(plain.length)
            + ", gzip "
            + Figures.whole(gzip.body().length)
            + ", zstd "
            + Figures.whole(zstd.body().length)
            + "; gzipped as a whole at level 6 "
            + Figures.whole(small)
            + ", at level 1 "
            + Figures.whole(fast)
            + ".";
    return (double) gzip.body().length / small;
  }

  private static void same(
      String coding, HttpResponse<byte[]> answered, byte[] plain, byte[] unpacked)
      throws IOException {
    String came = answered.headers().firstValue("Content-Encoding").orElse("identity");
    if (!came.equals(coding) || !Arrays.equals(plain, unpacked)) {
      throw new IOException(coding + ": came as " + came + ", or is not the same");
    }
  }

  private RunResult measure(String what, Subject server, Load load)
      throws IOException, InterruptedException {
    RunResult result = load.run(List.of(LoadRun.Watch.processor(List.of(server))));
    rig.tell(what + "  " + result.text());
    errors += result.errorCount();
    double nanos = result.watched().getFirst();
    String asked =
        load.plan().open()
            ? "at " + Figures.whole(load.plan().rate()) + "/s"
            : load.plan().connections() + " at once";
    rows.add(
        List.of(
            what,
            asked,
            Figures.whole(result.perSecond()),
            Figures.fine(result.p50()),
            Figures.fine(result.p99()),
            Figures.fine(nanos / 1e3 / Math.max(1, result.answers())),
            Figures.fine(nanos / 1e9 / result.wall()),
            Figures.fine(result.cores()),
            Figures.whole(load.requests().bodyBytes()),
            Long.toString(result.errorCount())));
    if (!load.plan().open()) {
      rates.add(
          new BarChart.Bar(what, result.perSecond(), Figures.whole(result.perSecond()) + "/s"));
    } else {
      tails.add(Figures.bar(what + ", " + asked, result.p99(), "ms"));
    }
    return result;
  }

  private Chapter chapter(double highest, double ratio, List<RunResult> half, double size) {
    double p50 = Figures.median(half, RunResult::p50);
    double p99 = Figures.median(half, RunResult::p99);
    return new Chapter(
        "answer",
        "The warm answer",
        HEAD,
        rows,
        List.of(
            new Verdict(
                "answers a second, gzip, the load beside",
                "at least 10,000/s",
                Figures.whole(highest) + "/s",
                highest >= RATE),
            new Verdict(
                "p50 at half of that", "under 1 ms", Figures.fine(p50) + " ms", p50 < P50_MILLIS),
            new Verdict(
                "p99 at half of that", "under 5 ms", Figures.fine(p99) + " ms", p99 < P99_MILLIS),
            new Verdict(
                "to the same serialised and gzipped at level 1 for each request",
                "at least 10 times",
                Figures.fine(ratio) + " times",
                ratio >= RATIO),
            new Verdict(
                "its size, of gzip level 6's", "at most 1.15", Figures.fine(size), size <= SIZE),
            new Verdict("errors", "none", Long.toString(errors), errors == 0)),
        List.of(
            sizes,
            "Server and load share this machine's processors; medians of the rounds. In an open"
                + " loop latency counts from when a request was due.",
            "Each answer's body is read whole and let go; before the runs it was seen that gzip and"
                + " zstd decode to the same bytes as identity, and that its ETag is answered by"
                + " 304."),
        List.of(
            new BarChart.Panel("answers a second, closed loop", rates),
            new BarChart.Panel("p99, open loop", tails)));
  }
}

package gilmok.collect.format;

import gilmok.collect.dialect.DialectEvent;
import gilmok.collect.dialect.Upload;
import gilmok.collect.json.JsonDecoder;
import gilmok.collect.json.RecordRule;
import gilmok.event.EventKind;
import gilmok.event.Events;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * How much longer fifty positions take through a declared format than in our own form, as decoding
 * alone: a main, for a quiet machine. Both bodies say the same; pairs by turns, their median.
 */
final class FormatSpeed {
  private static final int POSITIONS = 50;
  private static final int PAIRS = 9;
  private static final long TURN_NANOS = 700_000_000L;

  private FormatSpeed() {}

  public static void main(String[] arguments) {
    byte[] own = own().getBytes(StandardCharsets.UTF_8);
    byte[] theirs = theirs().getBytes(StandardCharsets.UTF_8);
    Format format =
        Declared.of(
            """
            path: /app/points
            records: /points
            fields:
              riderId: 'body:/who'
              at: /time
              lat: /where/lat
              lon: /where/lng
              accuracy: /acc
              speed: { from: /kmh, unit: km/h }
              bearing: /dir
              battery: { from: /batt, unit: percent }
            """);
    FormatDecoder decoder = new FormatDecoder(format);
    JsonDecoder json = new JsonDecoder();
    Events events = new Events();
    DialectEvent out = new DialectEvent();
    Runnable ofOwn =
        () -> {
          var _ = json.decode(EventKind.POSITION, own, 0, own.length, events);
        };
    Runnable ofTheirs =
        () -> {
          events.clear();
          out.upload(events, device -> device);
          decoder.begin(_ -> null, RecordRule.NONE);
          decoder.decode(new Upload(theirs, 0, theirs.length, null, null, 0), out);
        };
    for (int i = 0; i < 4; i++) {
      micros(ofOwn);
      micros(ofTheirs);
    }
    List<Double> ratios = new ArrayList<>();
    for (int pair = 0; pair < PAIRS; pair++) {
      double before = micros(ofOwn);
      double after = micros(ofTheirs);
      ratios.add(after / before);
      System.out.printf(
          Locale.ROOT, "ours %.2f, theirs %.2f µs a body: %.2f%n", before, after, after / before);
      if (events.count() != POSITIONS) {
        throw new IllegalStateException(events.count() + " positions");
      }
    }
    double[] sorted = ratios.stream().mapToDouble(Double::doubleValue).sorted().toArray();
    System.out.printf(
        Locale.ROOT, "median %.2f of %s%n", sorted[PAIRS / 2], Arrays.toString(sorted));
  }

  private static double micros(Runnable decode) {
    long begun = System.nanoTime();
    int bodies = 0;
    while (System.nanoTime() - begun < TURN_NANOS) {
      for (int i = 0; i < 20; i++) {
        decode.run();
      }
      bodies += 20;
    }
    return (System.nanoTime() - begun) / 1e3 / bodies;
  }

  private static String own() {
    StringBuilder body = new StringBuilder("[");
    for (int i = 0; i < POSITIONS; i++) {
      body.append(i == 0 ? "" : ",")
          .append(
              String.format(
                  Locale.ROOT,
                  "{\"riderId\":\"rider-000123\",\"at\":%d,\"lat\":%.6f,\"lon\":%.6f,"
                      + "\"accuracy\":%d,\"speed\":%.2f,\"bearing\":%d,\"battery\":0.%02d}",
                  1_785_052_800_000L + 1_000L * i,
                  37.5 + i / 1e4,
                  127 + i / 1e4,
                  5 + i % 7,
                  3.25,
                  i,
                  50 + i % 40));
    }
    return body.append(']').toString();
  }

  private static String theirs() {
    StringBuilder body = new StringBuilder("{\"who\":\"rider-000123\",\"points\":[");
    for (int i = 0; i < POSITIONS; i++) {
      body.append(i == 0 ? "" : ",")
          .append(
              String.format(
                  Locale.ROOT,
                  "{\"time\":%d,\"where\":{\"lat\":%.6f,\"lng\":%.6f},\"acc\":%d,\"kmh\":%.1f,"
                      + "\"dir\":%d,\"batt\":%d}",
                  1_785_052_800_000L + 1_000L * i,
                  37.5 + i / 1e4,
                  127 + i / 1e4,
                  5 + i % 7,
                  11.7,
                  i,
                  50 + i % 40));
    }
    return body.append("]}").toString();
  }
}

package gilmok.cli;

import gilmok.log.Salvage;
import gilmok.log.Stream;
import gilmok.log.StreamCounts;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The result of a salvage, as lines of text. */
final class SalvageReport {
  private SalvageReport() {}

  static List<String> lines(Salvage.Result result, Path target) {
    List<String> lines = new ArrayList<>();
    lines.add(target + " has " + result.records().total() + " records" + streams(result.records()));
    lines.add(
        "It is node "
            + result.node()
            + (result.was() == null ? "" : "; the records before bear the ids of " + result.was()));
    long missing = 0;
    for (Salvage.Missing one : result.missing()) {
      missing += one.range().records();
      String streams = one.streamsKnown() ? streams(one.counts()) : " of unknown streams";
      lines.add(
          "missing: sequences %d to %d, %d records%s"
              .formatted(one.range().from(), one.range().to(), one.range().records(), streams));
    }
    result.leftOut().forEach(left -> lines.add("not copied: " + left));
    lines.add(
        result.isComplete()
            ? "Nothing is missing."
            : missing + " records are missing; the ledger counts them as lost.");
    return lines;
  }

  private static String streams(StreamCounts counts) {
    StringBuilder text = new StringBuilder();
    for (Stream stream : Stream.values()) {
      if (counts.of(stream) > 0) {
        text.append(text.isEmpty() ? ": " : ", ");
        text.append(stream.label()).append(' ').append(counts.of(stream));
      }
    }
    return text.toString();
  }
}

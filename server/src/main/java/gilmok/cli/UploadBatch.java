package gilmok.cli;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Collectors;

/** Records for one route that are sent in one request, in order. Never empty. */
record UploadBatch(List<RecordingEntry> entries) {
  UploadBatch {
    entries = List.copyOf(entries);
  }

  String path() {
    return entries.getFirst().path();
  }

  int size() {
    return entries.size();
  }

  /** The line of the file on which record {@code i} starts. */
  long line(int i) {
    return entries.get(i).line();
  }

  /** The request's body: a JSON array. */
  byte[] body() {
    return entries.stream()
        .map(RecordingEntry::json)
        .collect(Collectors.joining(",", "[", "]"))
        .getBytes(StandardCharsets.UTF_8);
  }

  /** Names the lines it holds, as in {@code lines 51 to 100}. */
  String where() {
    long first = entries.getFirst().line();
    long last = entries.getLast().line();
    return first == last ? "line " + first : "lines " + first + " to " + last;
  }
}

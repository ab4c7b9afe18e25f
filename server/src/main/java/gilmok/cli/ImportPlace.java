package gilmok.cli;

import java.net.URI;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Whether all of an import went into one data folder: what was taken by another, or by this one
 * before it was put back to an earlier time, is not there. Not thread-safe.
 */
final class ImportPlace {
  private final URI server;
  private @Nullable String node;
  private long sequence;

  ImportPlace(URI server) {
    this.server = server;
  }

  /** Goes on where an interrupted import has taken its note. */
  void resume(JsonNode state) {
    node = state.has("node") ? state.path("node").asString("") : null;
    sequence = state.path("sequence").asLong();
  }

  /** Takes a note. */
  void write(ObjectNode state) {
    if (node != null) {
      state.put("node", node);
      state.put("sequence", sequence);
    }
  }

  /** How far the log had come by the answers so far: no later request may find it before that. */
  long sequence() {
    return sequence;
  }

  /**
   * Notes where a batch went.
   *
   * @param least how far the log had come before it was sent
   * @throws CommandFailure when it is not where the first one went
   */
  void check(ImportReply.@Nullable Place place, long least) {
    if (place == null) {
      return;
    }
    String known = node;
    boolean isOther = known != null && !known.equals(place.node());
    if (isOther && place.isSole()) {
      throw changed("has another data folder than the one");
    }
    if (!isOther && place.sequence() < least) {
      throw changed("has the data folder of an earlier time than that");
    }
    if (!isOther) {
      node = place.node();
      sequence = Math.max(sequence, place.sequence());
    }
  }

  private CommandFailure changed(String how) {
    return new CommandFailure(
        "the server at %s %s into which the first records went; begin anew with --again"
            .formatted(server, how));
  }
}

package gilmok.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * How far an import has come, in a file beside its source, so that it goes on after it was
 * interrupted. A record that was sent and not noted is sent again, and the server recognises it.
 *
 * @param file of the state
 * @param of the server and the kind of record, which must be the same
 */
record ImportState(Path file, String of) {
  /** The state that an interrupted import has left; null if there is none. */
  @Nullable JsonNode read() {
    if (!Files.exists(file)) {
      return null;
    }
    try {
      JsonNode state = JsonMapper.shared().readTree(Files.readString(file));
      if (!state.path("of").asString("").equals(of)) {
        throw new CommandFailure(
            file
                + " is of an import into "
                + state.path("of").asString("something else")
                + "; end that one, or begin anew with --again");
      }
      return state;
    } catch (IOException | JacksonException unreadable) {
      throw new CommandFailure(file + " cannot be read; begin anew with --again");
    }
  }

  /** Notes how far it has come. */
  void write(String position, ImportTotals totals, ImportPlace place) throws IOException {
    ObjectNode state = JsonMapper.shared().createObjectNode();
    state.put("of", of);
    state.put("position", position);
    totals.write(state);
    place.write(state);
    Path fresh = file.resolveSibling(file.getFileName() + ".new");
    Files.writeString(fresh, state.toString());
    Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  /** Forgets it: the import is done. */
  void delete() throws IOException {
    Files.deleteIfExists(file);
  }
}

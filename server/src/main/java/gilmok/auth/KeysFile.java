package gilmok.auth;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/**
 * The file {@code keys.json}, {@code {"format":1,"adminKey":id or null,"keys":[…]}}, in which keys
 * were stored before they became documents. It is read once and deleted. Not thread-safe.
 */
record KeysFile(Path file) {
  /** Its name in the data folder. */
  static final String NAME = "keys.json";

  private static final int FORMAT = 1;

  boolean exists() {
    return Files.exists(file);
  }

  /** Reads its keys. */
  List<StoredKey> read() throws IOException {
    try {
      return keys(KeyJson.JSON.readTree(Files.readAllBytes(file)));
    } catch (JacksonException e) {
      throw new DamagedKeys(file.toString(), "not JSON, " + e.getOriginalMessage(), e);
    } catch (IllegalArgumentException | DateTimeException e) {
      throw new DamagedKeys(file.toString(), String.valueOf(e.getMessage()), e);
    }
  }

  /** Deletes it, once its keys are stored elsewhere. */
  void delete() throws IOException {
    PrivateFile.delete(file);
  }

  private static List<StoredKey> keys(JsonNode root) {
    JsonNode format = root.path("format");
    if (!format.isInt() || format.intValue() != FORMAT) {
      throw new IllegalArgumentException("its format is not " + FORMAT);
    }
    JsonNode items = root.path("keys");
    if (!items.isArray()) {
      throw new IllegalArgumentException("it has no list of keys");
    }
    String first = KeyJson.optionalText(root, "adminKey");
    List<StoredKey> keys = new ArrayList<>();
    Set<String> ids = new HashSet<>();
    for (JsonNode item : items) {
      StoredKey key = KeyJson.read(item, item.path(KeyJson.ID).asString("").equals(first));
      if (!ids.add(key.info().id())) {
        throw new IllegalArgumentException("the key " + key.info().id() + " is there twice");
      }
      keys.add(key);
    }
    return keys;
  }
}

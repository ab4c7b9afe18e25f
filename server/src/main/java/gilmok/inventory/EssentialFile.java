package gilmok.inventory;

import gilmok.config.Settings;
import gilmok.documents.SqliteDatabase;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** A file of the data folder that nothing else could make again. */
public enum EssentialFile {
  /** What was written to them last, before the server was killed; looked at before they are. */
  DOCUMENTS_LOG(SqliteDatabase.LOG_FILE, false, "what was written last is lost then"),
  /** Keys, deliveries and what follows from them. */
  DOCUMENTS(
      SqliteDatabase.FILE,
      false,
      "keys, deliveries, partners, statements and missions are lost then"),
  /** Whose phones are, and what they are to be told. */
  DEVICES("devices", false, "riders, groups and waiting commands of phones are lost then"),
  /** What repeats are known by. */
  REPEATS("repeats.secret", true, "what phones send again is stored twice then"),
  /** What signs customers' links. */
  TRACK("track.secret", true, "customers' links that were given are good for nothing then");

  private final String fileName;
  private final boolean isFixed;
  private final String lost;

  EssentialFile(String fileName, boolean isFixed, String lost) {
    this.fileName = fileName;
    this.isFixed = isFixed;
    this.lost = lost;
  }

  /** Its name in the data folder, and in the setting {@code begin-anew}. */
  String fileName() {
    return fileName;
  }

  /** It, and what is nothing without it. */
  List<String> fileNames() {
    return this == DOCUMENTS
        ? List.of(fileName, SqliteDatabase.LOG_FILE, fileName + "-shm")
        : List.of(fileName);
  }

  /** Whether it stays as it was made. */
  boolean isFixed() {
    return isFixed;
  }

  /** Whether it is there after every stop. */
  boolean isForEver() {
    return this != DOCUMENTS_LOG;
  }

  /** What it costs to begin without it. */
  String lost() {
    return lost;
  }

  /** Reads the setting {@code begin-anew}. */
  public static Set<EssentialFile> givenUp(Settings settings) {
    Set<EssentialFile> givenUp = EnumSet.noneOf(EssentialFile.class);
    for (String name : settings.words("begin-anew")) {
      List<EssentialFile> meant =
          Stream.of(values()).filter(one -> one.fileName.equals(name)).toList();
      if (meant.isEmpty()) {
        settings.problem("begin-anew: \"%s\" is none of %s".formatted(name, names()));
      }
      givenUp.addAll(meant);
    }
    return givenUp;
  }

  /** All names, for people. */
  private static String names() {
    return String.join(", ", Stream.of(values()).map(EssentialFile::fileName).toList());
  }
}

package gilmok.inventory;

import gilmok.config.Settings;
import gilmok.documents.SqliteDatabase;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** A file of the data folder that cannot be made again from anything else. */
public enum EssentialFile {
  /**
   * The newest changes of the documents, written before the server was killed; checked before the
   * documents.
   */
  DOCUMENTS_LOG(SqliteDatabase.LOG_FILE, false, "what was written last is lost then"),
  /** Keys, deliveries and what follows from them. */
  DOCUMENTS(
      SqliteDatabase.FILE,
      false,
      "keys, deliveries, partners, statements and missions are lost then"),
  /** The owners of phones, and the commands that wait for them. */
  DEVICES("devices", false, "riders, groups and waiting commands of phones are lost then"),
  /** The secret of the deduplication keys. */
  REPEATS("repeats.secret", true, "what phones send again is stored twice then"),
  /** The secret that signs customers' links. */
  TRACK("track.secret", true, "customers' links given before do not work then"),
  /** The secret that seals the sessions of pages. */
  SESSION("session.secret", true, "users of the pages must sign in again then"),
  /** The secret of the names under which the register knows riders. */
  PSEUDONYM(
      "pseudonym.secret",
      true,
      "riders have other pseudonyms then, and erased riders who do not agree are collected again");

  private final String fileName;
  private final boolean isFixed;
  private final String lost;

  EssentialFile(String fileName, boolean isFixed, String lost) {
    this.fileName = fileName;
    this.isFixed = isFixed;
    this.lost = lost;
  }

  /** The file's name in the data folder, and in the setting {@code begin-anew}. */
  String fileName() {
    return fileName;
  }

  /** The file, and those that are useless without it. */
  List<String> fileNames() {
    return this == DOCUMENTS
        ? List.of(fileName, SqliteDatabase.LOG_FILE, fileName + "-shm")
        : List.of(fileName);
  }

  /** Whether the file never changes once it is made. */
  boolean isFixed() {
    return isFixed;
  }

  /** Whether the file exists after every stop. */
  boolean isForEver() {
    return this != DOCUMENTS_LOG;
  }

  /** What is lost without the file. */
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

  /** All names, for messages. */
  private static String names() {
    return String.join(", ", Stream.of(values()).map(EssentialFile::fileName).toList());
  }
}

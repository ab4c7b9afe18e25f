package gilmok.lab.data;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A public set of data. Immutable.
 *
 * @param name the name in commands, and of its folder
 * @param what what it holds, in a sentence
 * @param licence as its authors state it
 * @param origin where it comes from
 * @param files which files below the origin's folder belong to it, by their names there
 * @param count how many they are
 * @param sha256 of these files, as {@link FolderHash} counts it
 */
public record PublicSet(
    String name,
    String what,
    String licence,
    SetOrigin origin,
    Pattern files,
    int count,
    String sha256) {
  private static final String GRUBHUB =
      "none is stated; published \"to advance research on the subject\"";

  /** All sets. */
  public static final List<PublicSet> ALL =
      List.of(
          new PublicSet(
              "tsppd",
              "140 run sheets of real meal deliveries, ten of each size from 2 to 15 orders"
                  + " (Grubhub, tsppdlib): a matrix of travel times, pickups before drop-offs.",
              GRUBHUB,
              new SetOrigin.GitCommit(
                  "https://github.com/grubhub/tsppdlib.git",
                  "ffc9e173158aecdb91a2c70b90280a6854985076",
                  "instances/grubhub/json"),
              Pattern.compile("grubhub-\\d\\d-\\d\\.json"),
              140,
              "d40db3f05ab4f2f8f0c169f4f45c13be60921ee9b07b2a2b999c87552727fb89"),
          new PublicSet(
              "mdrp",
              "240 days of real meal deliveries (Grubhub and Georgia Tech, mdrplib): orders,"
                  + " couriers and restaurants, for lab day.",
              GRUBHUB,
              new SetOrigin.GitCommit(
                  "https://github.com/grubhub/mdrplib.git",
                  "a3eca9c56fb70e2bf10768f45c99020a6b8b8e84",
                  "public_instances"),
              Pattern.compile("\\w+/(orders|couriers|restaurants|instance_parameters)\\.txt"),
              960,
              "84c1c8fc47ddf3b81cd1dff4947a8cb8fc866fb38f4a3c951db2bbb95adaa33b"),
          new PublicSet(
              "lrc206",
              "51 orders with pickup and drop-off of Li and Lim's benchmark of 2001, lrc206, as"
                  + " PyVRP's tests have it; cut into run sheets by lab plan.",
              "MIT, that of the package",
              new SetOrigin.PythonSources(
                  "pyvrp",
                  "0.14.1",
                  "3e4c4094d4720b0efe88fc73c22cdf732cd487d48e63ea4bfa52010c6a034e0c",
                  "pyvrp-0.14.1/tests/data"),
              Pattern.compile("lrc206\\.vrp"),
              1,
              "37386123be62b880f0e3956b78614a4d393e3a0b38e15af747645a5cdd6819d8"));

  /** The set of a name. */
  public static Optional<PublicSet> named(String name) {
    return ALL.stream().filter(one -> one.name.equals(name)).findFirst();
  }

  /** Its place in the folder of all sets. */
  public Path in(Path sets) {
    return sets.resolve(name);
  }
}

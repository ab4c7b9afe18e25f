package gilmok.lab.torture;

import static gilmok.lab.torture.Outcome.NAMED;
import static gilmok.lab.torture.Outcome.REFUSED;
import static gilmok.lab.torture.Outcome.SILENT;
import static gilmok.lab.torture.Outcome.VERIFIED;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * What has to come of each damage, as the table of docs/operating.md says; written down anew on
 * purpose. Where a row has two, that table says what it depends on, and neither may cost anything
 * that was acknowledged. Immutable.
 */
final class DamageTable {
  private static final List<Row> ROWS =
      List.of(
          // What a kill has left of a file that was to take another's place.
          new Row(".*\\.tmp", Set.of(SILENT), Set.of(SILENT)),
          new Row("admin\\.key", Set.of(NAMED), Set.of(SILENT)),
          new Row("cursors/.*\\.cursor", Set.of(NAMED), Set.of(NAMED)),
          new Row("devices", Set.of(REFUSED), Set.of(REFUSED)),
          new Row("documents\\.db", Set.of(REFUSED), Set.of(REFUSED)),
          // What is cut off may all be in the file beside it, and is used from there.
          new Row("documents\\.db beside its log", Set.of(REFUSED, SILENT), Set.of(REFUSED)),
          new Row("inventory", Set.of(NAMED), Set.of(SILENT)),
          new Row("log/torn/.*", Set.of(SILENT), Set.of(SILENT)),
          new Row("node", Set.of(NAMED), Set.of(NAMED)),
          new Row("node without where it lay", Set.of(NAMED, REFUSED), Set.of()),
          new Row("repeats\\.secret", Set.of(REFUSED), Set.of(REFUSED)),
          new Row("snapshots/live", Set.of(NAMED), Set.of(SILENT)),
          new Row("snapshots/repeats", Set.of(NAMED), Set.of(SILENT)),
          new Row("snapshots/repeats of what was let go of", Set.of(NAMED), Set.of(NAMED)),
          new Row("track\\.secret", Set.of(REFUSED), Set.of(REFUSED)),
          // Its end may be torn; that nothing of it was acknowledged is held against the journal.
          new Row("newest segment", Set.of(REFUSED, NAMED), Set.of(REFUSED)),
          new Row("newest segment, empty", Set.of(NAMED, REFUSED), Set.of(SILENT, REFUSED)),
          new Row("newest segment, where nothing is", Set.of(SILENT, NAMED), Set.of()),
          // Its beginning and its end are read by the start, what is between them is not.
          new Row("older segment", Set.of(REFUSED, VERIFIED), Set.of(REFUSED)),
          new Row("older segment, where nothing is", Set.of(SILENT, VERIFIED), Set.of()),
          // Who has read all of it misses nothing.
          new Row("oldest segment", Set.of(REFUSED, VERIFIED), Set.of(NAMED, SILENT)),
          new Row("oldest segment, where nothing is", Set.of(SILENT, VERIFIED), Set.of()));

  private DamageTable() {}

  /**
   * Files that are called so.
   *
   * @param damaged when there is another content, or less of it
   * @param gone when there is none
   */
  private record Row(String name, Set<Outcome> damaged, Set<Outcome> gone) {}

  /**
   * What may come of it; nothing is right of what the table does not know.
   *
   * @param name a file's from the data folder, or what {@link Damage} calls it
   */
  static Set<Outcome> of(String name, boolean isGone) {
    List<Row> rows = ROWS.stream().filter(row -> name.matches(row.name)).toList();
    Set<Outcome> outcomes = EnumSet.noneOf(Outcome.class);
    if (rows.size() == 1) {
      outcomes.addAll(isGone ? rows.getFirst().gone : rows.getFirst().damaged);
    }
    return outcomes;
  }
}

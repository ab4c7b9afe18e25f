package gilmok.lab.torture;

import static gilmok.lab.torture.Outcome.NAMED;
import static gilmok.lab.torture.Outcome.REFUSED;
import static gilmok.lab.torture.Outcome.SILENT;
import static gilmok.lab.torture.Outcome.VERIFIED;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * The allowed outcomes of each damage, as in the table of docs/operating.md; written a second time
 * so that the two are compared. Where a row has two outcomes, that table says what they depend on,
 * and neither may lose anything acknowledged. Immutable.
 */
final class DamageTable {
  private static final List<Row> ROWS =
      List.of(
          // A leftover of a kill, from a file that was to replace another.
          new Row(".*\\.tmp", Set.of(SILENT), Set.of(SILENT)),
          new Row("admin\\.key", Set.of(NAMED), Set.of(SILENT)),
          new Row("cursors/.*\\.cursor", Set.of(NAMED), Set.of(NAMED)),
          new Row("devices", Set.of(REFUSED), Set.of(REFUSED)),
          new Row("documents\\.db", Set.of(REFUSED), Set.of(REFUSED)),
          // What was cut off may still be in the write-ahead log beside it, and is read from there.
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
          // Its end may be torn; that no acknowledged record was in it is checked against the
          // journal.
          new Row("newest segment", Set.of(REFUSED, NAMED), Set.of(REFUSED)),
          new Row("newest segment, empty", Set.of(NAMED, REFUSED), Set.of(SILENT, REFUSED)),
          new Row("newest segment, where nothing is", Set.of(SILENT, NAMED), Set.of()),
          // A start reads its beginning and its end, but not what is between them.
          new Row("older segment", Set.of(REFUSED, VERIFIED), Set.of(REFUSED)),
          new Row("older segment, where nothing is", Set.of(SILENT, VERIFIED), Set.of()),
          // A reader that has read all of it misses nothing.
          new Row("oldest segment", Set.of(REFUSED, VERIFIED), Set.of(NAMED, SILENT)),
          new Row("oldest segment, where nothing is", Set.of(SILENT, VERIFIED), Set.of()));

  private DamageTable() {}

  /**
   * The outcomes for files of one kind.
   *
   * @param damaged the outcomes if the content is changed or cut
   * @param gone the outcomes if the file is deleted
   */
  private record Row(String name, Set<Outcome> damaged, Set<Outcome> gone) {}

  /**
   * The allowed outcomes; none for a kind that the table does not contain.
   *
   * @param name the file's path within the data folder, or the name that {@link Damage} gives it
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

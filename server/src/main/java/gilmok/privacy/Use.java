package gilmok.privacy;

import java.util.Arrays;
import java.util.Collection;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What a location is used for, as the register says it: the purposes that a rider agrees to ({@link
 * Purpose}), and what becomes of locations without the rider being asked.
 */
public enum Use {
  DISPATCH,
  CUSTOMER,
  HISTORY,
  /** A partner is told by webhooks which rider has a delivery. */
  PARTNER,
  /** Records are shipped. */
  SINK,
  /** Data as a whole: exports, backups, what was quarantined, hand-outs. */
  COPY;

  /** The name in the API and in the documents. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The names of some, in their order, with blanks between. */
  static String labels(Collection<Use> uses) {
    return Arrays.stream(values())
        .filter(uses::contains)
        .map(Use::label)
        .collect(Collectors.joining(" "));
  }

  /** The purposes of which none of these bits ({@link Purpose}) says that it is withheld. */
  static Set<Use> leftBy(int withheld) {
    Set<Use> left = EnumSet.noneOf(Use.class);
    for (Purpose one : Purpose.values()) {
      if ((withheld & one.bit()) == 0) {
        left.add(valueOf(one.name()));
      }
    }
    return left;
  }
}

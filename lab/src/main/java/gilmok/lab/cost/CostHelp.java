package gilmok.lab.cost;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.IModelTransformer;
import picocli.CommandLine.Model.CommandSpec;

/** Adds each assumption and its default to the command's help, out of the one list of them. */
public final class CostHelp implements IModelTransformer {
  /** Made by picocli. */
  public CostHelp() {}

  @Override
  public CommandSpec transform(CommandSpec command) {
    List<String> lines = new ArrayList<>(List.of(command.usageMessage().description()));
    lines.add("");
    lines.add(
        "Prices, in dollars: list prices of AWS in us-east-1, noted down in November 2026 and not"
            + " read from it. Replace them by yours, with --price NAME=DOLLARS.");
    lines(lines, true);
    lines.add("");
    lines.add("Facts, with their sources, pages of lab/capacity. --fact NAME=NUMBER replaces one.");
    lines(lines, false);
    command.usageMessage().description(lines.toArray(String[]::new));
    return command;
  }

  private static void lines(List<String> lines, boolean isPrice) {
    for (Assumption one : Assumption.values()) {
      if (one.isPrice() == isPrice) {
        lines.add(
            String.format(
                Locale.ROOT,
                "  %-16s %-12s %s",
                one.label(),
                Assumptions.text(one.value()),
                one.what() + (one.source().isEmpty() ? "" : " (" + one.source() + ")")));
      }
    }
  }
}

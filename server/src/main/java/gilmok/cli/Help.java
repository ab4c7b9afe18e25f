package gilmok.cli;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.IHelpSectionRenderer;
import picocli.CommandLine.Model.ArgGroupSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.Model.UsageMessageSpec;
import picocli.CommandLine.Option;

/**
 * The one form of every command's help: the usage in one line with what is required, sentences, the
 * arguments, the options as they are declared, and examples. Pure functions of a command line that
 * nobody else has yet.
 */
final class Help {
  /** How the launcher was called, such as {@code ./gilmok}, for examples that work when pasted. */
  static final String CALLED = "gilmok.called";

  private static final String NAME = "gilmok";
  private static final String MIXIN = "help";

  /** What picocli shows for commands below one, though they are required. */
  private static final String PICOCLIS_LABEL = "[COMMAND]";

  private Help() {}

  /** The option of every command. */
  static final class Asked {
    @Option(
        names = {"-h", "--help"},
        usageHelp = true,
        description = "Show this help.")
    boolean asked;
  }

  /** Gives a command and all below it the option {@code --help} and the form of help. */
  static CommandLine on(CommandLine line) {
    return on(line, System.getProperty(CALLED, NAME));
  }

  static CommandLine on(CommandLine line, String called) {
    CommandSpec spec = line.getCommandSpec();
    spec.addMixin(MIXIN, CommandSpec.forAnnotatedObject(new Asked()));
    UsageMessageSpec usage = spec.usageMessage();
    usage
        .width(HelpPage.COLUMNS)
        .descriptionHeading("%n")
        .parameterListHeading("%nArguments:%n")
        .optionListHeading("%nOptions:%n")
        .commandListHeading("%nCommands:%n")
        .sectionMap(sections(usage, called));
    line.getSubcommands().values().forEach(below -> on(below, called));
    // Last, as a name is whole only below its parents.
    usage.customSynopsis(synopsis(spec));
    return line;
  }

  private static Map<String, IHelpSectionRenderer> sections(UsageMessageSpec usage, String called) {
    Map<String, IHelpSectionRenderer> all = new HashMap<>(usage.sectionMap());
    all.put(
        UsageMessageSpec.SECTION_KEY_DESCRIPTION, _ -> HelpPage.paragraphs(usage.description()));
    all.put(
        UsageMessageSpec.SECTION_KEY_PARAMETER_LIST,
        help -> HelpPage.arguments(help.commandSpec()));
    all.put(UsageMessageSpec.SECTION_KEY_OPTION_LIST, help -> HelpPage.options(help.commandSpec()));
    all.put(
        UsageMessageSpec.SECTION_KEY_COMMAND_LIST, help -> HelpPage.commands(help.commandSpec()));
    all.put(
        UsageMessageSpec.SECTION_KEY_FOOTER,
        _ ->
            Arrays.stream(usage.footer())
                .map(text -> called(text, called) + "\n")
                .collect(Collectors.joining()));
    return all;
  }

  /** An example as it is to be typed; any other text as it is. */
  private static String called(String text, String called) {
    return text.startsWith("  ")
        ? text.replaceAll("(^ +|\\| |\\$\\(|<\\()" + NAME + " ", "$1" + called + " ")
        : text;
  }

  private static String synopsis(CommandSpec spec) {
    StringBuilder text = new StringBuilder(spec.qualifiedName());
    for (OptionSpec option : spec.options()) {
      if (option.required() && option.group() == null) {
        text.append(' ').append(option.longestName()).append('=').append(HelpPage.label(option));
      }
    }
    for (ArgGroupSpec group : spec.argGroups()) {
      if (group.multiplicity().min() > 0) {
        text.append(' ').append(group.synopsis());
      }
    }
    if (spec.options().stream().anyMatch(one -> isOptional(one))) {
      text.append(" [OPTIONS]");
    }
    for (PositionalParamSpec argument : spec.positionalParameters()) {
      String label = argument.paramLabel() + (argument.arity().max() > 1 ? "..." : "");
      text.append(' ').append(argument.required() ? label : "[" + label + "]");
    }
    if (spec.subcommands().values().stream().anyMatch(one -> isShown(one))) {
      String label = spec.usageMessage().synopsisSubcommandLabel();
      text.append(label.equals(PICOCLIS_LABEL) ? " COMMAND" : " " + label);
    }
    return text.toString();
  }

  private static boolean isOptional(OptionSpec option) {
    ArgGroupSpec group = option.group();
    return !option.hidden()
        && !option.usageHelp()
        && (group == null ? !option.required() : group.multiplicity().min() == 0);
  }

  private static boolean isShown(CommandLine line) {
    return !line.getCommandSpec().usageMessage().hidden();
  }

  /** The names below a command that its help lists, for a message. */
  static String verbs(CommandSpec spec) {
    return spec.subcommands().values().stream()
        .filter(Help::isShown)
        .map(CommandLine::getCommandName)
        .collect(Collectors.joining(", "));
  }
}

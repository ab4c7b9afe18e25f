package gilmok.lab.advisories;

import java.util.ArrayList;
import java.util.List;
import org.apache.maven.artifact.versioning.ComparableVersion;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * An advisory about Maven artifacts, read from the <a
 * href="https://ossf.github.io/osv-schema/">OSV</a> format. Immutable.
 *
 * @param id as in {@code GHSA-…}
 * @param aliases other ids of the same, as in {@code CVE-…}
 * @param summary one line; empty when there is none
 */
record Advisory(String id, List<String> aliases, String summary, List<Affected> affected) {
  private static final String MAVEN = "Maven";

  /**
   * Affected versions of an artifact: those of a list, and those within ranges.
   *
   * @param name {@code group:artifact}
   */
  private record Affected(String name, List<String> versions, List<Range> ranges) {}

  /**
   * Versions from {@code introduced} on ({@code 0}: all), before {@code fixed}, or up to {@code
   * last}.
   */
  private record Range(String introduced, @Nullable String fixed, @Nullable String last) {
    boolean has(String version) {
      ComparableVersion it = new ComparableVersion(version);
      return (introduced.equals("0") || it.compareTo(new ComparableVersion(introduced)) >= 0)
          && (fixed == null || it.compareTo(new ComparableVersion(fixed)) < 0)
          && (last == null || it.compareTo(new ComparableVersion(last)) <= 0);
    }
  }

  /** Reads one advisory; null when it was withdrawn, or is about nothing of Maven. */
  static @Nullable Advisory read(JsonNode json) {
    if (!json.path("id").isString()) {
      throw new IllegalArgumentException("no advisory in OSV's format: it has no id");
    }
    List<Affected> affected = new ArrayList<>();
    for (JsonNode one : json.path("affected")) {
      JsonNode of = one.path("package");
      if (of.path("ecosystem").asString("").equals(MAVEN)) {
        affected.add(
            new Affected(of.path("name").asString(""), texts(one.path("versions")), ranges(one)));
      }
    }
    boolean isOut = affected.isEmpty() || json.has("withdrawn");
    return isOut
        ? null
        : new Advisory(
            json.path("id").asString(),
            texts(json.path("aliases")),
            json.path("summary").asString(""),
            affected);
  }

  private static List<String> texts(JsonNode list) {
    List<String> texts = new ArrayList<>();
    list.forEach(one -> texts.add(one.asString("")));
    return texts;
  }

  /** The ranges of an artifact: OSV lists events, of which each {@code introduced} begins one. */
  private static List<Range> ranges(JsonNode affected) {
    List<Range> ranges = new ArrayList<>();
    for (JsonNode range : affected.path("ranges")) {
      if (range.path("type").asString("").equals("GIT")) {
        continue; // of commits, not of versions
      }
      String introduced = null;
      for (JsonNode event : range.path("events")) {
        if (event.has("introduced")) {
          introduced = event.path("introduced").asString();
        } else if (introduced != null && (event.has("fixed") || event.has("last_affected"))) {
          ranges.add(new Range(introduced, text(event, "fixed"), text(event, "last_affected")));
          introduced = null;
        }
      }
      if (introduced != null) {
        ranges.add(new Range(introduced, null, null)); // no version is free of it yet
      }
    }
    return ranges;
  }

  private static @Nullable String text(JsonNode event, String name) {
    return event.has(name) ? event.path(name).asString() : null;
  }

  /** Whether this version of an artifact is affected. */
  boolean isAbout(String name, String version) {
    return affected.stream()
        .filter(one -> one.name.equals(name))
        .anyMatch(
            one ->
                one.versions.contains(version)
                    || one.ranges.stream().anyMatch(range -> range.has(version)));
  }

  /** The first versions of an artifact that are free of it, later than this one. */
  List<String> fixedIn(String name, String version) {
    return affected.stream()
        .filter(one -> one.name.equals(name))
        .flatMap(one -> one.ranges.stream())
        .filter(range -> range.has(version) && range.fixed != null)
        .map(range -> String.valueOf(range.fixed))
        .distinct()
        .toList();
  }
}

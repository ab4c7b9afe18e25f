package gilmok.cli;

import gilmok.collect.format.DocumentFormat;
import gilmok.collect.format.DocumentFormat.DocumentRule;
import gilmok.collect.format.DocumentFormatParser;
import gilmok.collect.format.FieldTraits;
import gilmok.collect.format.Format;
import gilmok.collect.format.FormatFiles;
import gilmok.collect.format.TimeForm;
import gilmok.collect.format.ValueRule;
import gilmok.collect.format.ValueSource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Opens what is to be imported.
 *
 * @param format how it is declared; null if it is in our own form
 * @param mongo the URI of a database; null for files
 * @param collection the collection in it; null for files
 */
record ImportSources(@Nullable Path format, @Nullable String mongo, @Nullable String collection) {
  private static final Set<String> STREAMS = Set.of("traces", "actions", "logs");
  private static final String RECORDS = "records (NDJSON or CSV, also .gz)";

  /**
   * Opens one source.
   *
   * @throws CommandFailure when it cannot be read, or is not declared for this kind of record
   */
  ImportSource open(String dataset, String name) throws IOException {
    if (format != null && !Files.isReadable(format)) {
      throw new CommandFailure("--format " + format + " cannot be read");
    }
    boolean isDocument = format != null && DocumentFormatParser.isOne(format);
    if (format != null && !isDocument) {
      return events(dataset, name, format);
    }
    DocumentFormat declared = format == null ? null : declared(dataset, format);
    if (mongo != null) {
      if (declared == null) {
        throw new CommandFailure("a collection needs --format, which says what its fields are");
      }
      return new RowsSource(
          MongoRows.open(mongo, String.valueOf(collection)), new DocumentMapper(declared));
    }
    TextFile file = TextFile.openWhole(name, RECORDS);
    try {
      return rows(dataset, file, declared);
    } catch (CommandFailure unusable) {
      file.close();
      throw unusable;
    } catch (IOException broken) {
      file.close();
      throw TextFile.explained(broken);
    }
  }

  private static ImportSource rows(String dataset, TextFile file, @Nullable DocumentFormat declared)
      throws IOException {
    if (declared != null) {
      FileRows rows =
          declared.content() == Format.Content.CSV
              ? FileRows.csv(file, declared.columns(), declared.separator())
              : FileRows.lines(file);
      return new RowsSource(rows, new DocumentMapper(declared));
    }
    int first = file.firstCharacter();
    if (first == '{' || first < 0) {
      return new RowsSource(FileRows.lines(file), null);
    }
    if (first == '[') {
      throw new CommandFailure(
          "it begins with [: give a JSON object a line, as jq -c '.[]' makes of an array");
    }
    Map<String, FieldTraits> fields = ImportTargets.DECLARED.get(dataset);
    if (fields == null) {
      throw new CommandFailure(
          STREAMS.contains(dataset)
              ? "CSV needs --format, or gilmok replay for positions with our names"
              : "it begins with no {: " + dataset + " are imported as they were exported");
    }
    FileRows rows = FileRows.csv(file, List.of(), ',');
    List<DocumentRule> rules = new ArrayList<>();
    for (String column : rows.columns()) {
      FieldTraits traits = fields.get(column);
      if (traits == null) {
        throw new CommandFailure(
            "line 1: the column \"%s\" is no field of %s; there are %s; or declare it with --format"
                .formatted(column, dataset, String.join(", ", fields.keySet())));
      }
      ValueSource source = new ValueSource.InRecord("/" + column);
      rules.add(
          new DocumentRule(
              column, traits, new ValueRule(source, 1, TimeForm.USUAL, Map.of(), null)));
    }
    DocumentFormat ours =
        new DocumentFormat(dataset, Format.Content.CSV, rows.columns(), ',', rules);
    return new RowsSource(rows, new DocumentMapper(ours));
  }

  private static DocumentFormat declared(String dataset, Path format) {
    List<String> problems = new ArrayList<>();
    DocumentFormat declared = DocumentFormatParser.read(format, ImportTargets.DECLARED, problems);
    fail(format, problems);
    DocumentFormat read = Objects.requireNonNull(declared);
    if (!read.into().equals(dataset)) {
      throw new CommandFailure(format + " declares " + read.into() + ", not " + dataset);
    }
    return read;
  }

  private static void fail(Path format, List<String> problems) {
    if (!problems.isEmpty()) {
      throw new CommandFailure(format + ": " + String.join("; ", problems));
    }
  }

  private ImportSource events(String dataset, String name, Path declaration) throws IOException {
    List<String> problems = new ArrayList<>();
    Format read = FormatFiles.read(declaration, problems);
    fail(declaration, problems);
    Format declared = Objects.requireNonNull(read);
    String stream = declared.stream();
    Format.Content content = declared.shape().content();
    if (!stream.equals(dataset)) {
      throw new CommandFailure(declaration + " declares " + stream + ", not " + dataset);
    }
    if (content != Format.Content.LINES && content != Format.Content.CSV) {
      throw new CommandFailure(declaration + ": a file needs the content lines or csv");
    }
    if (mongo != null) {
      return new EventsSource(declared, MongoRows.open(mongo, String.valueOf(collection)), "");
    }
    FileRows rows = FileRows.lines(TextFile.openWhole(name, RECORDS));
    boolean hasHead = content == Format.Content.CSV && declared.shape().columns().isEmpty();
    ImportRows.Row head = hasHead ? rows.next() : null;
    return new EventsSource(declared, rows, head == null ? "" : head.text());
  }
}

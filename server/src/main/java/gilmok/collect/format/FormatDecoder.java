package gilmok.collect.format;

import gilmok.collect.dialect.Dialect;
import gilmok.collect.dialect.DialectEvent;
import gilmok.collect.dialect.Parameters;
import gilmok.collect.dialect.PhoneCommand;
import gilmok.collect.dialect.PhoneNumbers;
import gilmok.collect.dialect.Upload;
import gilmok.collect.json.PointerReader;
import gilmok.collect.json.RecordRule;
import gilmok.event.JsonBuffer;
import gilmok.event.Reason;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Decodes uploads in a declared format. Before each upload {@link #begin} gets what stands beside
 * the body. The answer is the declared one, and carries nothing for the phone.
 *
 * <p>Not thread-safe: one for each event loop.
 */
public final class FormatDecoder implements Dialect {
  /** Why no command can be sent to a phone whose app has a declared format. */
  public static final String NO_COMMANDS = "an app with a format of its own takes no commands";

  private static final String NO_HEAD = "no line before it has the columns' names";
  private static final String TOO_MANY_VALUES = "more values than columns";

  private final Format format;
  private final FormatValues values;
  private final FormatPointers pointers;
  private final @Nullable PointerReader json;
  private final CsvReader csv;
  private final byte[] answer;
  private List<String> columns = List.of();
  private int csvIndex;

  /** Whether the rest of a CSV upload is one reject. */
  private boolean isOver;

  private int uploadEnd;

  /** One for a format. */
  public FormatDecoder(Format format) {
    this.format = format;
    values = new FormatValues(format);
    pointers =
        FormatPointers.of(
            format,
            (field, why) -> {
              throw new IllegalArgumentException(field + ": " + why);
            });
    Format.Content content = format.shape().content();
    boolean areLines = content == Format.Content.LINES;
    json =
        areLines || content == Format.Content.JSON
            ? new PointerReader(pointers.ofBody(), pointers.ofRecord(), areLines, values)
            : null;
    csv = new CsvReader(format.shape().separator());
    answer = format.answer().body().getBytes(StandardCharsets.UTF_8);
  }

  /** The format. */
  public Format format() {
    return format;
  }

  /**
   * Takes what stands beside the next upload's body.
   *
   * @param beside a header, a parameter of the query or a segment of the path, decoded; null when
   *     it was not sent
   * @param rule what the sender may not send
   */
  public void begin(Function<ValueSource, @Nullable String> beside, RecordRule rule) {
    values.clear(rule);
    List<FieldRule> fields = format.fields();
    for (int i = 0; i < fields.size(); i++) {
      switch (fields.get(i).source()) {
        case ValueSource.Header _, ValueSource.Query _, ValueSource.Segment _ ->
            values.share(i, beside.apply(fields.get(i).source()));
        default -> {} // of the body, or always the same
      }
    }
  }

  @Override
  public String label() {
    return format.name();
  }

  @Override
  public void decode(Upload upload, DialectEvent out) {
    values.upload(out, upload.device(), upload.receivedAtMillis());
    PointerReader reader = json;
    if (reader != null) {
      readJson(reader, upload, out);
    } else if (format.shape().content() == Format.Content.FORM) {
      readForm(upload, out);
    } else {
      columns = format.shape().columns();
      csvIndex = 0;
      isOver = false;
      uploadEnd = upload.end();
      csv.read(
          upload.bytes(),
          upload.offset(),
          upload.end(),
          (line, start, end, fault) -> csvLine(line, start, end, fault, out));
    }
  }

  private void readJson(PointerReader reader, Upload upload, DialectEvent out) {
    String why = null;
    String field = "";
    if (!reader.read(upload.bytes(), upload.offset(), upload.length())) {
      why = reader.errorReason();
    } else if (!reader.hasRecords()) {
      why = Reason.MISSING;
      field = format.shape().records();
    }
    if (why != null) {
      out.events().clear();
      out.events().reject(0, field, why, upload.offset(), upload.end());
    }
  }

  private void readForm(Upload upload, DialectEvent out) {
    Parameters sent = Parameters.of(upload.bytes(), upload.offset(), upload.end());
    if (!sent.isWhole() || !sent.isText()) {
      String why = sent.isWhole() ? Reason.INVALID_UTF8 : Reason.TOO_MANY_MEMBERS;
      out.events().reject(0, "", why, upload.offset(), upload.end());
      return;
    }
    values.begin(0);
    for (int i = 0; i < sent.count(); i++) {
      named(sent.name(i), sent.value(i));
    }
    values.end(0, upload.offset(), upload.end(), null);
  }

  private void csvLine(
      List<String> line, int start, int end, @Nullable String fault, DialectEvent out) {
    if (isOver) {
      return;
    }
    if (columns.isEmpty() && fault == null && isHead(line)) {
      columns = List.copyOf(line);
      return;
    }
    int index = csvIndex++;
    isOver = index >= PointerReader.RECORDS_MAX || values.isFull();
    if (isOver) {
      out.events().reject(index, "", Reason.TOO_LARGE, start, uploadEnd);
    } else if (columns.isEmpty() && fault == null) {
      out.events().reject(index, "", NO_HEAD, start, end);
    } else if (fault != null || line.size() > columns.size()) {
      out.events().reject(index, "", fault == null ? TOO_MANY_VALUES : fault, start, end);
    } else {
      values.begin(index);
      for (int i = 0; i < line.size(); i++) {
        named(columns.get(i), line.get(i));
      }
      values.end(index, start, end, null);
    }
  }

  /** Whether a line has the columns' names: at least one that a field is read from. */
  private boolean isHead(List<String> line) {
    return line.stream().anyMatch(pointers.byName()::containsKey);
  }

  /** Sets what a name of a form or a CSV file stands for; other names are attributes. */
  private void named(String name, String value) {
    if (value.isEmpty()) {
      return;
    }
    byte[] text = value.getBytes(StandardCharsets.UTF_8);
    Integer rule = pointers.byName().get(name);
    if (rule != null) {
      values.text(rule, text, 0, text.length, false);
      return;
    }
    byte[] utf8 = name.getBytes(StandardCharsets.UTF_8);
    JsonBuffer into = values.member(utf8, 0, utf8.length);
    if (into == null) {
      return;
    }
    boolean isBare = value.equals("true") || value.equals("false") || PhoneNumbers.isJson(value);
    if (isBare) {
      into.ascii(value);
    } else {
      into.string(value);
    }
  }

  @Override
  public String refusal(PhoneCommand command) {
    return NO_COMMANDS;
  }

  @Override
  public int commandsMax() {
    return 0;
  }

  @Override
  public int answerStatus() {
    return format.answer().status();
  }

  @Override
  public String answerType() {
    return format.answer().type();
  }

  @Override
  public void answer(List<PhoneCommand> commands, List<byte[]> friends, JsonBuffer out) {
    out.raw(answer, 0, answer.length);
  }
}

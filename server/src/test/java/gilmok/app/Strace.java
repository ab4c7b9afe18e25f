package gilmok.app;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads the output of {@code strace -f -xx} and checks every 202 against the fdatasync that covers
 * it.
 *
 * <p>strace prints a call in two lines when something else happened between its beginning and its
 * end, and in one line when nothing did. So the order of the lines is the order of beginnings and
 * ends.
 */
final class Strace {
  private static final Pattern LINE =
      Pattern.compile("^(?:\\[pid +)?(\\d+)\\]? +(<\\.\\.\\. )?(\\w+)(.*)$");
  private static final Pattern WRITE = Pattern.compile("^\\((\\d+), \\[?(.*)$");
  private static final Pattern HEX = Pattern.compile("\"((?:\\\\x[0-9a-f]{2})*)\"");
  private static final Pattern RECEIPT = Pattern.compile("\"first\":(\\d+),\"last\":(\\d+)[,}]");

  /** By file descriptor: batches written and not forced yet, as last sequence by first sequence. */
  private final Map<Integer, TreeMap<Long, Long>> unforced = new HashMap<>();

  /** By thread: what had been written when the fdatasync that is under way began. */
  private final Map<String, TreeMap<Long, Long>> forcing = new HashMap<>();

  private final Map<String, String> begun = new HashMap<>();
  private final TreeMap<Long, Long> durable = new TreeMap<>();
  private final List<String> violations = new ArrayList<>();
  private int answers;
  private int syncs;

  /** Reads a trace. */
  Strace(List<String> lines) {
    lines.forEach(this::line);
  }

  /** Answers that left before their records were on disk, one line each. */
  List<String> violations() {
    return violations;
  }

  int answers() {
    return answers;
  }

  int syncs() {
    return syncs;
  }

  private void line(String line) {
    Matcher matcher = LINE.matcher(line);
    if (!matcher.matches()) {
      return;
    }
    String thread = matcher.group(1);
    String call = matcher.group(3);
    String rest = matcher.group(4);
    if (matcher.group(2) != null) {
      end(thread, call, begun.getOrDefault(thread, ""));
    } else if (rest.endsWith("<unfinished ...>")) {
      begun.put(thread, rest);
      begin(thread, call, rest);
    } else {
      begin(thread, call, rest);
      end(thread, call, rest);
    }
  }

  private void begin(String thread, String call, String arguments) {
    switch (call) {
      case "fdatasync", "fsync" -> {
        int file = Integer.parseInt(arguments.replaceAll("^\\((\\d+).*$", "$1"));
        forcing.put(thread, new TreeMap<>(unforced.getOrDefault(file, new TreeMap<>())));
      }
      case "write", "writev", "sendto", "sendmsg" -> answer(text(arguments));
      default -> {}
    }
  }

  private void end(String thread, String call, String arguments) {
    switch (call) {
      case "fdatasync", "fsync" -> {
        TreeMap<Long, Long> forced = forcing.remove(thread);
        if (forced != null && !forced.isEmpty()) {
          durable.putAll(forced);
          syncs++;
        }
      }
      case "pwrite64" -> batch(arguments);
      default -> {}
    }
  }

  private void batch(String arguments) {
    Matcher write = WRITE.matcher(arguments);
    byte[] bytes = bytes(arguments);
    if (!write.matches() || bytes.length < 44) {
      return;
    }
    ByteBuffer header = ByteBuffer.wrap(bytes);
    long first = header.getLong(16);
    int count = header.getInt(40);
    if (header.getInt(0) > 48 && first > 0 && count > 0) {
      unforced
          .computeIfAbsent(Integer.parseInt(write.group(1)), file -> new TreeMap<>())
          .put(first, first + count - 1);
    }
  }

  private void answer(String text) {
    Matcher receipt = RECEIPT.matcher(text);
    while (text.contains("HTTP/1.1 202") && receipt.find()) {
      answers++;
      long first = Long.parseLong(receipt.group(1));
      long last = Long.parseLong(receipt.group(2));
      Map.Entry<Long, Long> covering = durable.floorEntry(first);
      if (covering == null || covering.getValue() < last) {
        violations.add("202 for " + first + "-" + last + " left before its fdatasync returned");
      }
    }
  }

  private static String text(String arguments) {
    return new String(bytes(arguments), StandardCharsets.ISO_8859_1);
  }

  private static byte[] bytes(String arguments) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    Matcher hex = HEX.matcher(arguments);
    while (hex.find()) {
      String digits = hex.group(1);
      for (int i = 2; i < digits.length(); i += 4) {
        out.write(Integer.parseInt(digits, i, i + 2, 16));
      }
    }
    return out.toByteArray();
  }
}

/**
 * The API's own dialect: decodes JSON to events, on the hot path.
 *
 * <p>The scanner accepts all of RFC 8259 and nothing more, and it is the only parser: unusual input
 * does not fall back to a library. A library reports wrong input by exceptions (promise 7: a
 * client's mistake costs none), is lenient where we are not (UTF-8, numbers), and would be a second
 * opinion on what a body means. Instead, Jackson is the oracle of the scanner's tests.
 *
 * <p><b>The body</b> is an array, or a sequence of objects with or without white space between them
 * (NDJSON; a single object is the shortest). In an array any syntax error makes the whole body
 * unreadable. In a sequence it rejects the rest of the line on which the broken record starts
 * ({@code not JSON}), and reading goes on behind it. A byte order mark at the beginning is skipped.
 *
 * <p><b>A record</b> that is JSON but breaks a rule is rejected alone, with the first rule it
 * breaks: in the order of its members, then what is missing, then its attributes as a whole. {@code
 * null} counts as absent. Names are compared after their escapes are resolved, so {@code
 * "l\u005cu0061t"} is {@code lat}. Members that are not fields of its kind are kept as attributes,
 * after those of {@code attributes}. A record is rejected if a name comes twice among them, or if
 * they are more than 64 members or 16 KiB of compact JSON. Arrays and objects nested more than 32
 * deep in a member count as a syntax error.
 *
 * <p><b>Speed.</b> The body is copied once, so that zeros can follow it and no byte has to be
 * checked for being the last. Names, strings, digits and times are then read eight bytes at a time;
 * positions in the text are passed as arguments and results, not in fields. Nothing is allocated
 * for a record whose numbers have up to 15 digits.
 */
@NullMarked
package gilmok.collect.json;

import org.jspecify.annotations.NullMarked;

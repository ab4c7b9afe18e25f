/**
 * The API's own dialect: JSON to events, on the hot path.
 *
 * <p>The scanner reads all of RFC 8259 and nothing more, and is the only way in: there is no
 * fallback to a library for the unusual. A library tells of wrong input by exceptions (promise 7:
 * what a caller did wrong costs none), is lenient where we are not (UTF-8, numbers), and would be a
 * second opinion about what a body means. Jackson is the oracle of its tests instead.
 *
 * <p><b>The body</b> is an array, or objects behind one another with or without white space between
 * (NDJSON; one object is the least of it). In an array any error of syntax makes the whole body
 * unreadable. Between objects it rejects the rest of the line on which the broken record starts
 * ({@code not JSON}), and reading goes on behind it. A byte order mark in front is skipped.
 *
 * <p><b>A record</b> that is JSON but breaks a rule is rejected alone, with the first rule it
 * breaks: in the order of its members, then what is missing, then its attributes as a whole. {@code
 * null} is the same as absent. A name counts as what it means, so {@code "l\u005cu0061t"} is {@code
 * lat}. Members that are no fields of its kind are kept behind those of {@code attributes}; a name
 * that comes twice among them is refused, as is more than 64 members or 16 KiB of compact JSON.
 * Arrays and objects nested more than 32 deep in a member are treated as an error of syntax.
 *
 * <p><b>Speed.</b> The body is copied once, so that zeros can stand behind it and no byte needs to
 * be asked whether it is the last. Names, strings, digits and times are then read eight bytes at a
 * time; positions in the text travel as arguments and results, not in fields. Nothing is allocated
 * for a record whose numbers have up to 15 digits.
 */
@NullMarked
package gilmok.collect.json;

import org.jspecify.annotations.NullMarked;

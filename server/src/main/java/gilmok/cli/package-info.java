/**
 * The command line apart from {@code serve}: {@code replay}, {@code keys}, {@code version}.
 *
 * <p>Every command answers wrong usage with exit code 2 and one line, and an error with exit code 1
 * and one line that says what to do next. The commands talk to a server over HTTP as any client
 * does; nothing here is on a server's way.
 *
 * <p>How {@code replay} works: the reading thread turns lines into {@link
 * gilmok.cli.RecordingEntry} (a {@link gilmok.cli.RecordingSource} for CSV, one for JSON), waits
 * for each one's time ({@link gilmok.cli.ReplayPace}) and puts it into the {@link
 * gilmok.cli.ReplayLane} of its rider. A lane is one connection with one request in flight and a
 * bounded queue of batches, so one rider's positions stay in order, and a slow server stops the
 * reading instead of filling the memory. {@link gilmok.cli.Poster} sends a batch until it is
 * acknowledged, refused, or patience ends; {@link gilmok.cli.ReplayTally} keeps the account.
 */
@NullMarked
package gilmok.cli;

import org.jspecify.annotations.NullMarked;

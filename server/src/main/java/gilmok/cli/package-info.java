/**
 * The commands of the command line, without {@code serve}: {@code replay}, {@code keys}, {@code
 * log}, {@code ledger}, {@code sink}, {@code quarantine}, {@code phones}, {@code version}, {@code
 * completion}. Their help has one form, {@link gilmok.cli.Help}.
 *
 * <p>Every command answers wrong usage with exit code 2 and one line, and a failure with exit code
 * 1 and one line that says what to do next. Most commands talk to a server over HTTP as any client
 * does; {@code log} reads a data folder, and {@code keys} and {@code phones} use the folder of a
 * stopped server. No server uses this package to answer requests.
 *
 * <p>How {@code replay} works: the reading thread turns lines into {@link
 * gilmok.cli.RecordingEntry} (there is a {@link gilmok.cli.RecordingSource} for CSV and one for
 * JSON), waits until each is due ({@link gilmok.cli.ReplaySchedule}) and adds it to the {@link
 * gilmok.cli.ReplayLane} of its rider. A lane is one connection with one request in flight and a
 * bounded queue of batches. So one rider's positions stay in order, and a slow server stops the
 * reading instead of filling the memory. {@link gilmok.cli.Poster} sends a batch until it is
 * acknowledged or refused, or until patience ends; {@link gilmok.cli.ReplayTally} keeps the
 * account.
 */
@NullMarked
package gilmok.cli;

import org.jspecify.annotations.NullMarked;

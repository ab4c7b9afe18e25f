/**
 * Statements measured: ways to map documents, the cliff beside Spring Data, the processor's time
 * against a database, SQLite; and a server that replays a database's recorded answers.
 */
@NullMarked
package gilmok.lab.statements;

import org.jspecify.annotations.NullMarked;

/** What the node that has a row says of it, as one server would say it. */

const CONSTRAINT = /\bconstraint "([^"]+)_\d+"/;
const EMPTY_COLUMN = /^null value in column "([^"]+)" of relation /;

/**
 * Notes with an error which constraint was violated, or which column must not be null. A cluster tells either in the message alone,
 * or by the name that it has for a part of the table: it ends in the number of the shard.
 */
export function noteFacts(error: unknown): void {
  if (!(error instanceof Error)) return;
  const constraint = CONSTRAINT.exec(error.message)?.[1];
  const column = EMPTY_COLUMN.exec(error.message)?.[1];
  if (constraint !== undefined) Object.assign(error, { constraint });
  if (column !== undefined) Object.assign(error, { column });
}

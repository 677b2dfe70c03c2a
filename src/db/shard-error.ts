/** Converts errors of a cluster's nodes to those of one server. */

const CONSTRAINT = /\bconstraint "([^"]+)_\d+"/;
const NULL_COLUMN = /^null value in column "([^"]+)" of relation /;

/**
 * Sets `constraint` or `column` of an error to the violated constraint or the column that must not be null. A cluster
 * reports the column only in the message, and the constraint with the number of the shard.
 */
export function addViolationDetails(error: unknown): void {
  if (!(error instanceof Error)) return;
  const constraint = CONSTRAINT.exec(error.message)?.[1];
  const column = NULL_COLUMN.exec(error.message)?.[1];
  if (constraint !== undefined) Object.assign(error, { constraint });
  if (column !== undefined) Object.assign(error, { column });
}

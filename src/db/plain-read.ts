import { type OperationNode, SelectQueryNode } from 'kysely';

/** True if a statement only reads. Raw SQL may write, so it never counts as a read. */
export function isPlainRead(query: OperationNode): boolean {
  if (!SelectQueryNode.is(query)) return false;
  return query.with?.expressions.every(({ expression }) => isPlainRead(expression)) ?? true;
}

import { type RootOperationNode, SelectQueryNode } from 'kysely';

/** Whether a statement only reads. What is written in SQL may write something, whatever it begins with. */
export function isPlainRead(query: RootOperationNode): boolean {
  return SelectQueryNode.is(query) && query.with === undefined;
}

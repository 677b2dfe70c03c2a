import { type OperationNode, SelectQueryNode } from 'kysely';

/** Whether a statement only reads. What is written in SQL may write something, whatever it begins with. */
export function isPlainRead(query: OperationNode): boolean {
  if (!SelectQueryNode.is(query)) return false;
  return query.with?.expressions.every(({ expression }) => isPlainRead(expression)) ?? true;
}

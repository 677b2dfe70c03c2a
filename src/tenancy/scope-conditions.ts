/** The conditions that narrow a statement to the rows which a scope reaches. */
import {
  AndNode,
  BinaryOperationNode,
  ColumnNode,
  FunctionNode,
  type OperationNode,
  OperatorNode,
  OrNode,
  ParensNode,
  ReferenceNode,
  TableNode,
  UnaryOperationNode,
  ValueNode,
  WhereNode,
} from 'kysely';
import type { Units } from './scope.ts';
import type { ScopedTable } from './scoped-tables.ts';

/** The units of a tenant whose rows a statement reaches, and whether it also, or never, reaches shared ones. */
export interface Reach {
  readonly tenantId: string;
  readonly units: Units;
  readonly shared: boolean;
}

/** `where` and the conditions that keep a table, called `alias` in the statement, to these rows. */
export function restrict(
  where: WhereNode | undefined,
  table: ScopedTable,
  alias: string,
  { tenantId, units, shared }: Reach,
): WhereNode | undefined {
  if (!table.has_tenant) return where;
  const narrowed = both(where, equals(alias, 'tenant_id', ValueNode.create(tenantId)));
  if (units === 'all' || !table.is_owned) return narrowed;
  const owned = equals(alias, 'owner_bu_id', FunctionNode.create('any', [ValueNode.create(units)]));
  return both(narrowed, table.is_shareable ? withShared(alias, owned, shared) : owned);
}

function both(where: WhereNode | undefined, condition: OperationNode): WhereNode {
  return WhereNode.create(where ? AndNode.create(where.where, condition) : condition);
}

/** Whoever may not touch shared rows may not touch those of its own units either. */
function withShared(table: string, owned: OperationNode, isReached: boolean): OperationNode {
  const shared = column(table, 'shared');
  if (isReached) return ParensNode.create(OrNode.create(owned, shared));
  return AndNode.create(owned, UnaryOperationNode.create(OperatorNode.create('not'), shared));
}

function equals(table: string, name: string, value: OperationNode): OperationNode {
  return BinaryOperationNode.create(column(table, name), OperatorNode.create('='), value);
}

function column(table: string, name: string): ReferenceNode {
  return ReferenceNode.create(ColumnNode.create(name), TableNode.create(table));
}

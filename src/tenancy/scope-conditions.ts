/** Conditions that restrict a statement to the rows of a scope. */
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

/** Accessible rows of a statement: tenant, owning units, and rows that the tenant shares. */
export interface Reach {
  readonly tenantId: string;
  readonly units: Units;
  readonly shared: boolean;
}

/** Returns `where` with conditions that restrict a table, called `alias` in the statement, to these rows. */
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

/** Adds the condition on shared rows. Without access to shared rows, those of the own units are excluded too. */
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

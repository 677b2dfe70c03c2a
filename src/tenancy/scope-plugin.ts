/**
 * Adds the scope to every statement: `tenant_id = …` on each table with that column, and `owner_bu_id = any(…)` on each
 * table with that one, except for rows that the tenant shares. It works on the query tree, so no query can omit it. It
 * rejects what it cannot restrict: tables missing from the catalogue, inserted rows without the tenant, and raw SQL
 * that names tables.
 */
import {
  AliasNode,
  CastNode,
  ColumnNode,
  type ColumnUpdateNode,
  type DeleteQueryNode,
  IdentifierNode,
  type InsertQueryNode,
  type JoinNode,
  type KyselyPlugin,
  OnNode,
  type OperationNode,
  OperationNodeTransformer,
  type PluginTransformQueryArgs,
  PrimitiveValueListNode,
  type QueryId,
  RawNode,
  ReferenceNode,
  type RootOperationNode,
  SelectionNode,
  SelectQueryNode,
  TableNode,
  type UpdateQueryNode,
  ValueListNode,
  ValueNode,
  ValuesNode,
  WhereNode,
  type WithNode,
} from 'kysely';
import type { Scope, Units } from './scope.ts';
import { type Reach, restrict } from './scope-conditions.ts';
import { DEFAULT_SCHEMA, type ScopedTable, type ScopedTables } from './scoped-tables.ts';

/** Creates the plugin for one scope. */
export function scopePlugin(scope: Scope, tables: ScopedTables): KyselyPlugin {
  const transformer = new ScopeTransformer(scope, tables);
  return {
    transformQuery: ({ node, queryId }: PluginTransformQueryArgs): RootOperationNode => {
      if (!isStatement(node))
        throw new Error(`A ${node.kind} is not scoped: write SQL through ScopedDb.raw.`);
      return transformer.transformNode(node, queryId);
    },
    transformResult: async (args) => args.result,
  };
}

type Statement = SelectQueryNode | InsertQueryNode | UpdateQueryNode | DeleteQueryNode;

const STATEMENTS: ReadonlySet<string> = new Set<Statement['kind']>([
  'SelectQueryNode',
  'InsertQueryNode',
  'UpdateQueryNode',
  'DeleteQueryNode',
]);
/**
 * Row sources that are not tables; a query among them is restricted itself. Raw SQL is excluded, because it may contain
 * a table: call a set-returning function by `eb.fn`.
 */
const TABLELESS: ReadonlySet<string> = new Set([
  'SelectQueryNode',
  'ParensNode',
  'ValuesNode',
  'FunctionNode',
]);
/** Nodes of names, values and keywords; they need no restriction and no copy. */
const LEAVES: ReadonlySet<string> = new Set([
  'TableNode',
  'ColumnNode',
  'ReferenceNode',
  'IdentifierNode',
  'OperatorNode',
  'ValueNode',
  'PrimitiveValueListNode',
]);
/** Keywords before a table's name in SQL; `is distinct from` is a comparison. */
const NAMES_TABLE = /(?<!\bdistinct\s+)\bfrom\b|\b(?:join|into|update|delete|using|merge|table)\b/i;

class ScopeTransformer extends OperationNodeTransformer {
  readonly #scope: Scope;
  readonly #tables: ScopedTables;
  /** Names of the common table expressions that are visible to the current node. */
  #visibleNames: readonly string[] = [];

  constructor(scope: Scope, tables: ScopedTables) {
    super();
    this.#scope = scope;
    this.#tables = tables;
  }

  override transformNode<T extends OperationNode | undefined>(node: T, queryId?: QueryId): T {
    if (node === undefined || LEAVES.has(node.kind)) return node;
    const clause = isStatement(node) ? node.with : undefined;
    if (clause === undefined) return super.transformNode(node, queryId);
    const names = clause.expressions.map(({ name }) => name.table.table.identifier.name);
    return this.#withNames([...this.#visibleNames, ...names], () => super.transformNode(node, queryId));
  }

  protected override transformSelectQuery(node: SelectQueryNode, queryId?: QueryId): SelectQueryNode {
    const select = super.transformSelectQuery(node, queryId);
    const read = this.#read;
    // Restrict an outer join in its condition, or rows without a match would be lost.
    const joins = select.joins?.map((join) => (isOptional(join) ? this.#narrowJoin(join, read) : join));
    const sources = [...(select.from?.froms ?? []), ...tablesOf(joins?.filter((join) => !isOptional(join)))];
    return { ...select, ...(joins ? { joins } : {}), where: this.#narrow(select.where, sources, read) };
  }

  protected override transformInsertQuery(node: InsertQueryNode, queryId?: QueryId): InsertQueryNode {
    const insert = super.transformInsertQuery(node, queryId);
    const { into, onConflict } = insert;
    if (into === undefined || !this.#table(into).has_tenant) return insert;
    this.#requireTenant(insert);
    if (onConflict?.updates === undefined) return insert;
    const updateWhere = this.#narrowTarget(onConflict.updateWhere, into, this.#scope.write);
    return { ...insert, onConflict: { ...onConflict, updateWhere } };
  }

  protected override transformUpdateQuery(node: UpdateQueryNode, queryId?: QueryId): UpdateQueryNode {
    const update = super.transformUpdateQuery(node, queryId);
    const where = this.#narrowTarget(update.where, update.table, this.#scope.write);
    const sources = [...(update.from?.froms ?? []), ...tablesOf(update.joins)];
    return { ...update, where: this.#narrow(where, sources, this.#read) };
  }

  protected override transformDeleteQuery(node: DeleteQueryNode, queryId?: QueryId): DeleteQueryNode {
    const removal = super.transformDeleteQuery(node, queryId);
    const [target, ...others] = removal.from.froms;
    const where = this.#narrowTarget(removal.where, target, this.#scope.remove);
    const sources = [...others, ...(removal.using?.tables ?? []), ...tablesOf(removal.joins)];
    return { ...removal, where: this.#narrow(where, sources, this.#read) };
  }

  protected override transformMergeQuery(): never {
    throw new Error('A merge is not scoped: write it as inserts, updates and deletes.');
  }

  /** A common table expression sees those before it; without `recursive`, its own name still means a table. */
  protected override transformWith(node: WithNode, queryId?: QueryId): WithNode {
    if (node.recursive) return super.transformWith(node, queryId);
    const all = this.#visibleNames;
    const outer = all.length - node.expressions.length;
    const expressions = node.expressions.map((expression, index) =>
      this.#withNames(all.slice(0, outer + index), () => this.transformNode(expression, queryId)),
    );
    return { ...node, expressions };
  }

  protected override transformColumnUpdate(node: ColumnUpdateNode, queryId?: QueryId): ColumnUpdateNode {
    if (columnOf(node.column) === 'tenant_id') throw new Error('tenant_id cannot be updated.');
    return super.transformColumnUpdate(node, queryId);
  }

  protected override transformRaw(node: RawNode, queryId?: QueryId): RawNode {
    const words = node.sqlFragments.find((fragment) => NAMES_TABLE.test(fragment));
    if (words !== undefined || node.parameters.some(TableNode.is))
      throw new Error(`SQL within a scoped statement names a table: ${words ?? 'sql.table'}`);
    return super.transformRaw(node, queryId);
  }

  get #read(): Reach {
    const { tenantId, read, shared } = this.#scope;
    return { tenantId, units: read, shared: shared !== 'none' };
  }

  /** Runs `work` with these names of common table expressions. */
  #withNames<T>(names: readonly string[], work: () => T): T {
    const outer = this.#visibleNames;
    this.#visibleNames = names;
    try {
      return work();
    } finally {
      this.#visibleNames = outer;
    }
  }

  #narrowJoin(join: JoinNode, reach: Reach): JoinNode {
    const where = join.on && this.#narrow(WhereNode.create(join.on.on), [join.table], reach);
    return where ? { ...join, on: OnNode.create(where.where) } : join;
  }

  #narrow(
    where: WhereNode | undefined,
    sources: readonly OperationNode[],
    reach: Reach,
  ): WhereNode | undefined {
    return sources.reduce((narrowed, source) => {
      const { node, alias } = withoutAlias(source);
      if (!TableNode.is(node)) {
        if (!TABLELESS.has(node.kind)) throw new Error(`A ${node.kind} as a source of rows is not scoped.`);
        return narrowed;
      }
      const isExpression = node.table.schema === undefined && this.#visibleNames.includes(nameOf(node));
      return isExpression ? narrowed : restrict(narrowed, this.#table(node), alias ?? nameOf(node), reach);
    }, where);
  }

  /** Restricts the target of a change. It is always a table, because common table expressions cannot be changed. */
  #narrowTarget(
    where: WhereNode | undefined,
    target: OperationNode | undefined,
    units: Units,
  ): WhereNode | undefined {
    const { node, alias } = target ? withoutAlias(target) : {};
    if (!node || !TableNode.is(node)) throw new Error('A scoped statement changes one table, by its name.');
    const { tenantId, shared } = this.#scope;
    const reach = { tenantId, units, shared: shared === 'write' };
    return restrict(where, this.#table(node), alias ?? nameOf(node), reach);
  }

  #table(node: TableNode): ScopedTable {
    return this.#tables.get(node.table.schema?.name ?? DEFAULT_SCHEMA, nameOf(node));
  }

  #requireTenant({ columns, values }: InsertQueryNode): void {
    const index = columns?.findIndex(({ column }) => column.name === 'tenant_id') ?? -1;
    const rows = values === undefined ? [] : ValuesNode.is(values) ? values.values : [values];
    const isNamed = rows.every((row) => {
      if (PrimitiveValueListNode.is(row)) return row.values[index] === this.#scope.tenantId;
      if (ValueListNode.is(row)) return this.#isTenant(row.values[index]);
      return SelectQueryNode.is(row) && this.#isTenant(row.selections?.[index]);
    });
    if (index < 0 || rows.length === 0 || !isNamed)
      throw new Error('An inserted row does not name its tenant.');
  }

  /** True if the expression is the tenant id, or the tenant column of a restricted source. */
  #isTenant(node: OperationNode | undefined): boolean {
    if (node === undefined) return false;
    if (SelectionNode.is(node)) return this.#isTenant(node.selection);
    if (AliasNode.is(node)) return this.#isTenant(node.node);
    if (CastNode.is(node)) return this.#isTenant(node.expression);
    if (RawNode.is(node)) return node.parameters.some((parameter) => this.#isTenant(parameter));
    if (ValueNode.is(node)) return node.value === this.#scope.tenantId;
    return columnOf(node) === 'tenant_id';
  }
}

function isStatement(node: OperationNode): node is Statement {
  return STATEMENTS.has(node.kind);
}

/** True for a left join with a condition; right and full joins are restricted by `where`. */
function isOptional(join: JoinNode): boolean {
  return join.joinType === 'LeftJoin' && join.on !== undefined;
}

function tablesOf(joins: readonly JoinNode[] | undefined): OperationNode[] {
  return (joins ?? []).map((join) => join.table);
}

function nameOf(table: TableNode): string {
  return table.table.identifier.name;
}

function withoutAlias(source: OperationNode): { readonly node: OperationNode; readonly alias?: string } {
  if (!AliasNode.is(source)) return { node: source };
  const { node, alias } = source;
  return IdentifierNode.is(alias) ? { node, alias: alias.name } : { node };
}

function columnOf(node: OperationNode): string | null {
  const column = ReferenceNode.is(node) ? node.column : node;
  return ColumnNode.is(column) ? column.column.name : null;
}

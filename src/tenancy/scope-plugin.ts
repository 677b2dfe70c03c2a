/**
 * Adds the scope to every statement: `tenant_id = …` on each table that has that column, and
 * `owner_bu_id = any(…)` on each table that has that one, rows that the tenant shares excepted. Because it works on
 * the query tree, a query cannot forget it. Inserts name their tenant themselves; row-level security refuses a foreign one.
 */
import {
  AliasNode,
  AndNode,
  BinaryOperationNode,
  ColumnNode,
  type DeleteQueryNode,
  FunctionNode,
  IdentifierNode,
  type JoinNode,
  type KyselyPlugin,
  OnNode,
  type OperationNode,
  OperationNodeTransformer,
  OperatorNode,
  OrNode,
  ParensNode,
  type PluginTransformQueryArgs,
  type QueryId,
  ReferenceNode,
  type RootOperationNode,
  type SelectQueryNode,
  TableNode,
  UnaryOperationNode,
  type UpdateQueryNode,
  ValueNode,
  WhereNode,
} from 'kysely';
import type { Scope } from './scope.ts';
import type { ScopedTables } from './scoped-tables.ts';

type Units = readonly string[] | 'all';

/** The units whose rows a statement reaches, and whether it also, or never, reaches shared ones. */
interface Reach {
  readonly units: Units;
  readonly shared: boolean;
}

/** The plugin for one scope. `tables` says which tables carry which column. */
export function scopePlugin(scope: Scope, tables: ScopedTables): KyselyPlugin {
  const transformer = new ScopeTransformer(scope, tables);
  return {
    transformQuery: (args: PluginTransformQueryArgs): RootOperationNode =>
      transformer.transformNode(args.node, args.queryId),
    transformResult: async (args) => args.result,
  };
}

class ScopeTransformer extends OperationNodeTransformer {
  readonly #scope: Scope;
  readonly #tables: ScopedTables;

  constructor(scope: Scope, tables: ScopedTables) {
    super();
    this.#scope = scope;
    this.#tables = tables;
  }

  protected override transformSelectQuery(node: SelectQueryNode, queryId?: QueryId): SelectQueryNode {
    const select = super.transformSelectQuery(node, queryId);
    const read = this.#read;
    // In the condition of the join, or the rows that it finds no partner for would be lost.
    const joins = select.joins?.map((join) => (isOptional(join) ? this.#narrowJoin(join, read) : join));
    const sources = [...(select.from?.froms ?? []), ...tablesOf(joins?.filter((join) => !isOptional(join)))];
    return { ...select, ...(joins ? { joins } : {}), where: this.#narrow(select.where, sources, read) };
  }

  protected override transformUpdateQuery(node: UpdateQueryNode, queryId?: QueryId): UpdateQueryNode {
    const update = super.transformUpdateQuery(node, queryId);
    const target = update.table ? [update.table] : [];
    const where = this.#narrow(update.where, target, this.#change(this.#scope.write));
    const sources = [...(update.from?.froms ?? []), ...tablesOf(update.joins)];
    return { ...update, where: this.#narrow(where, sources, this.#read) };
  }

  protected override transformDeleteQuery(node: DeleteQueryNode, queryId?: QueryId): DeleteQueryNode {
    const removal = super.transformDeleteQuery(node, queryId);
    const where = this.#narrow(removal.where, removal.from.froms, this.#change(this.#scope.remove));
    const sources = [...(removal.using?.tables ?? []), ...tablesOf(removal.joins)];
    return { ...removal, where: this.#narrow(where, sources, this.#read) };
  }

  protected override transformMergeQuery(): never {
    throw new Error('A merge is not scoped: write it as inserts, updates and deletes.');
  }

  get #read(): Reach {
    return { units: this.#scope.read, shared: this.#scope.shared !== 'none' };
  }

  #change(units: Units): Reach {
    return { units, shared: this.#scope.shared === 'write' };
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
    let result = where;
    for (const condition of sources.flatMap((source) => this.#conditions(source, reach))) {
      result = WhereNode.create(result ? AndNode.create(result.where, condition) : condition);
    }
    return result;
  }

  #conditions(source: OperationNode, { units, shared }: Reach): OperationNode[] {
    const table = AliasNode.is(source) ? source.node : source;
    if (!TableNode.is(table)) return [];
    const name = table.table.identifier.name;
    if (!this.#tables.tenant.has(name)) return [];
    const alias = AliasNode.is(source) && IdentifierNode.is(source.alias) ? source.alias.name : name;
    const conditions = [equals(alias, 'tenant_id', ValueNode.create(this.#scope.tenantId))];
    if (units !== 'all' && this.#tables.owned.has(name)) {
      const owned = equals(alias, 'owner_bu_id', FunctionNode.create('any', [ValueNode.create(units)]));
      conditions.push(this.#tables.shareable.has(name) ? withShared(alias, owned, shared) : owned);
    }
    return conditions;
  }
}

/** A left join with a condition; right and full joins keep their partnerless rows out by `where`. */
function isOptional(join: JoinNode): boolean {
  return join.joinType === 'LeftJoin' && join.on !== undefined;
}

function tablesOf(joins: readonly JoinNode[] | undefined): OperationNode[] {
  return (joins ?? []).map((join) => join.table);
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

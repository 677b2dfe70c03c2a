import { PostgresQueryCompiler, type TableNode } from 'kysely';

/**
 * Kysely's PostgreSQL compiler, which also aliases the target of an insert with its own name. On a cluster a shard's
 * table has another name, and `returning` finds the table only by an alias.
 */
export class QueryCompiler extends PostgresQueryCompiler {
  protected override visitTable(node: TableNode): void {
    super.visitTable(node);
    if (this.parentNode?.kind !== 'InsertQueryNode') return;
    this.append(' as ');
    this.visitNode(node.table.identifier);
  }
}

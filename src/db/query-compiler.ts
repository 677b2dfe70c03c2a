import { PostgresQueryCompiler, type TableNode } from 'kysely';

/**
 * PostgreSQL as Kysely writes it, but that a table which rows are inserted into is also called by its name. Each part of a
 * table on a cluster has a name of its own: there, `returning` finds the table by what the statement calls it, or not at all.
 */
export class QueryCompiler extends PostgresQueryCompiler {
  protected override visitTable(node: TableNode): void {
    super.visitTable(node);
    if (this.parentNode?.kind !== 'InsertQueryNode') return;
    this.append(' as ');
    this.visitNode(node.table.identifier);
  }
}

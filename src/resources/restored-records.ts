/** Restoring deleted records: the create route writes a record with the key and creation time of the deleted one. */
import { v7 as uuidv7 } from 'uuid';
import type { Columns } from './body.ts';
import type { EntityType } from './entity-types.ts';
import { valueAt } from './field-groups.ts';
import { columnOf } from './fields.ts';
import type { Resource } from './resource.ts';

/** Values that a restored record takes from the deleted one, in addition to its body. */
export interface RestoredRecord {
  readonly entityType: EntityType;
  readonly key: readonly string[];
  /** The version that the restored record starts with: the one after its last in history. */
  readonly firstVersion: number;
  readonly createdAt?: string;
  /** Columns that only the platform writes. */
  readonly columns: Columns;
}

/** A context of a write that may restore a record. */
export interface RestoringContext {
  readonly now: Date;
  readonly restored?: RestoredRecord;
  /** True for a dry run, which is rolled back. It must not lock tables, because other requests would wait. */
  readonly isDryRun?: boolean;
}

/** Returns the record that a write of this resource restores; undefined if it creates a new one. */
export function restoredOf(
  { restored }: RestoringContext,
  { entityType }: Pick<Resource, 'entityType'>,
): RestoredRecord | undefined {
  return restored?.entityType === entityType ? restored : undefined;
}

/** Returns the id of the record that a write creates: a new one, or that of the deleted record. */
export function idOfNew(ctx: RestoringContext): string {
  return ctx.restored?.key.at(-1) ?? uuidv7();
}

/** Returns the columns in a version that bodies cannot set, without those that every write sets. */
export function platformColumnsOf(resource: Resource, version: object): Columns {
  const set = new Set(['owner_bu_id', 'created_at', 'updated_at', ...resource.key.columns]);
  const columns = Object.entries(resource.fields).flatMap(([name, field]) => {
    if (field.kind === 'constant' || field.writes !== 'platform') return [];
    if (field.hidden || field.computed || field.counts || field.shown || set.has(columnOf(name, field)))
      return [];
    const value = valueAt(version, { name, field });
    return value === undefined ? [] : [[columnOf(name, field), value] as const];
  });
  return Object.fromEntries(columns);
}

/** Returns the parts of a key in history; null if the text is not a key of the resource. */
export function partsOfSortKey({ key }: Pick<Resource, 'key'>, sortKey: string): readonly string[] | null {
  const given = sortKey.split('#');
  const parts = key.suffix === undefined ? given : given.slice(0, -1);
  const isWhole = key.suffix === undefined || given.at(-1) === key.suffix;
  return isWhole && parts.length === key.columns.length && key.isKey(parts) ? parts : null;
}

/** Returns the parts of a key by the names of their columns. */
export function namedParts(
  resource: Pick<Resource, 'key'>,
  parts: readonly string[],
): Record<string, string> {
  return Object.fromEntries(resource.key.columns.map((column, index) => [column, parts[index] ?? '']));
}

/**
 * How records of a kind are restored: deleted ones by the feature's route that creates records, older versions by the
 * route that updates them.
 */
export interface RestoreRule {
  readonly resource: Resource;
  /** The id of the creating route. The updating route of `forms.create` is `forms.replace`; a PUT may do both. */
  readonly createdBy: string;
  /** Returns the members of a version for the route's body. Default: the members that the body's schema names. */
  readonly bodyOf?: (version: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>;
  /** Text for callers about data that is not restored, because history does not contain it. */
  readonly notRestored?: string;
}

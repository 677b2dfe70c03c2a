import { type RawBuilder, sql } from 'kysely';
import type { ScopedDb } from '../../tenancy/scoped-db.ts';
import type { TimelineKind, TimelineSource, TimelineSubject } from '../../timeline/timeline-source.ts';
import type { Position } from './position.ts';
import type { TimelineEntry } from './schema.ts';

interface PageRequest {
  readonly kinds: readonly TimelineKind[];
  /** The last entry of the previous page; null for the first page. */
  readonly after: Position | null;
  readonly limit: number;
}

/** Returns the entries of all sources in one order, newest first. */
export async function listEntries(
  db: ScopedDb,
  sources: readonly TimelineSource[],
  subject: TimelineSubject,
  { kinds, after, limit }: PageRequest,
): Promise<TimelineEntry[]> {
  const { rows } = await db.raw(
    () => sql<TimelineEntry>`
    select e.kind, e.id, e.at, e.title, e.entity_type, e.key, json_strip_nulls(e.detail) as detail
    from (${unionOf(sources.map(({ entries }) => entries(subject)))}) e (kind, id, at, title, entity_type, key, detail)
    where e.kind = any(${kinds}::text[]) and ${isAfter(after)}
    order by e.at desc, e.kind collate "C" desc, e.id collate "C" desc limit ${limit}::int`,
    { plan: 'custom' },
  );
  return rows;
}

function unionOf(parts: readonly RawBuilder<unknown>[]): RawBuilder<unknown> {
  return sql.join(parts, sql` union all `);
}

function isAfter(position: Position | null): RawBuilder<unknown> {
  if (position === null) return sql`true`;
  const { at, kind, id } = position;
  return sql`(e.at, e.kind collate "C", e.id collate "C") < (${at}::timestamptz, ${kind}, ${id})`;
}

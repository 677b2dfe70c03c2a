import { AppError } from '../../errors/app-error.ts';
import { NOT_FOUND } from '../../errors/platform-errors.ts';
import type { MemberContext } from '../../http/context.ts';
import type { EntityType } from '../../resources/entity-types.ts';
import { getTenant } from '../../tenancy/find-tenant.ts';
import { wholeTenant } from '../../tenancy/scope.ts';
import type { ScopedDb } from '../../tenancy/scoped-db.ts';
import { listDeleted, listVersions } from './queries.ts';
import type { DeletedRecord, RecordQuery, VersionRecord } from './schema.ts';
import { visibilityOf } from './visibility.ts';

/** Deleted-records shows this many entries at most (docs/specification/history.md#deleted-records). */
const MAX_DELETED = 1000;
/** PostgreSQL's integer; no record has a greater version. */
const MAX_VERSION = 2_147_483_647;

/** All versions of a record in ascending order; none of an unknown one. */
export async function readVersions(ctx: MemberContext, query: RecordQuery): Promise<VersionRecord[]> {
  return listVersions(historyDb(ctx), visibilityOf(ctx.caller, query.entityType), query);
}

/** One version. `version` is an integer of any size, as text. @throws AppError NOT_FOUND. */
export async function readVersion(
  ctx: MemberContext,
  query: RecordQuery,
  version: string,
): Promise<VersionRecord> {
  const wanted = Number(version);
  if (wanted < 1 || wanted > MAX_VERSION) throw new AppError(NOT_FOUND);
  const visibility = visibilityOf(ctx.caller, query.entityType);
  const [row] = await listVersions(historyDb(ctx), visibility, query, wanted);
  if (!row) throw new AppError(NOT_FOUND);
  return row;
}

/** Deleted records and their superseded versions, newest first, 1000 at most. */
export async function readDeleted(ctx: MemberContext, entityType: EntityType): Promise<DeletedRecord[]> {
  const { code } = await getTenant(ctx.db);
  const visibility = visibilityOf(ctx.caller, entityType);
  const rows = await listDeleted(historyDb(ctx), visibility, entityType, MAX_DELETED);
  return rows.map((row) => ({
    pk: `${code}#${entityType}#${row.deleted ? 'DELETED' : 'UPDATED'}`,
    sk: row.deleted ? row.sort_key : `${row.sort_key}#VERSION-${row.version}`,
    entity: row.data,
    timestamp: row.timestamp,
  }));
}

/** History also has entries without an owning unit, which the caller's own scope would hide. */
function historyDb({ platform, caller }: MemberContext): ScopedDb {
  return platform.scoped(wholeTenant(caller.tenantId));
}

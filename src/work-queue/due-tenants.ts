/** Finds tenants with waiting rows, and their targets with due rows. */
import { sql } from 'kysely';
import { NIL } from 'uuid';
import type { EveryTenantDb } from '../db/every-tenant.ts';
import type { Platform } from '../platform.ts';
import { closedTenants } from '../tenancy/closed-tenants.ts';
import type { WorkQueueDefinition } from './work-queue.ts';

/** A target with due rows. */
export interface DueTarget {
  readonly tenant_id: string;
  readonly target_id: string;
  /** Number of due rows, counted up to the slots of a target. */
  readonly due: number;
}

/** Poll position of a tenant that has claimed rows, or whose targets were not all served. */
export interface KnownTenant {
  readonly tenant_id: string;
  /** The target after which the poll begins; null: at the first. */
  readonly after: string | null;
  /** Maximum number of due targets to return. */
  readonly maxTargets: number;
}

/** The due targets of one tenant. */
export interface DueTenant {
  readonly tenant_id: string;
  /** Sorted by id, starting after the poll position. */
  readonly targets: readonly DueTarget[];
}

/** A page of tenants with waiting rows, due or not. */
export interface TenantPage {
  readonly tenants: readonly DueTenant[];
  /** The tenant after which the next page begins; null when this was the last. */
  readonly end: string | null;
}

/** Range and limits of one poll. */
export interface DuePoll {
  /** The tenant after which the page begins; null: at the first. */
  readonly after: string | null;
  /** Maximum number of tenants in the page. */
  readonly tenants: number;
  /** Maximum number of due rows to count per target. */
  readonly perTarget: number;
  /** Maximum number of due targets of a tenant that is not in `known`. */
  readonly perTenant: number;
  readonly known: readonly KnownTenant[];
}

type PolledOptions = 'table' | 'view' | 'extraTenantIds' | 'isOrdered';

/** The rows to poll, and whether they are ordered by record. */
interface PolledRows {
  readonly table: string;
  readonly view: string;
  readonly isOrdered: boolean;
}

/** Returns the next tenants with their due targets; `onError` receives errors of tenants that could not be read. */
export async function listDueTenants(
  all: EveryTenantDb,
  {
    table,
    view = table,
    extraTenantIds = [],
    isOrdered = false,
  }: Pick<WorkQueueDefinition<never>, PolledOptions>,
  now: Date,
  poll: DuePoll,
  onError: (error: unknown) => void,
): Promise<TenantPage> {
  if (!all.isSharded) return findDueTargets(all, { table, view, isOrdered }, now, poll);
  const waiting = await listWaiting(all, view, now, poll);
  const isLast = waiting.length < poll.tenants;
  // Ask only reachable nodes: waiting for an unavailable one would delay every tenant.
  const reachable = isLast && extraTenantIds.length > 0 ? await all.listReachable(extraTenantIds) : [];
  const pages = await all.byTenant(
    [...waiting.map(({ tenant_id }) => tenant_id), ...reachable],
    (tenantId) => tenantId,
    // An unavailable node must not fail the poll of other tenants.
    (db) =>
      findDueTargets(db, { table, view, isOrdered }, now, poll).catch((error: unknown) => {
        onError(error);
        return NOTHING_DUE;
      }),
  );
  const tenants = pages.flatMap((page) => page.tenants);
  return { tenants: sortByTenant(tenants), end: isLast ? null : (waiting.at(-1)?.tenant_id ?? null) };
}

/** Returns the page without due targets of suspended tenants; their rows wait until the tenant is active again. */
export function withoutSuspended({ tenants, end }: TenantPage, platform: Platform): TenantPage {
  const closed = closedTenants(platform);
  const open = tenants.map((each) => (closed.has(each.tenant_id) ? { ...each, targets: [] } : each));
  return { tenants: open, end };
}

const NOTHING_DUE: TenantPage = { tenants: [], end: null };

interface WaitingTenant {
  readonly tenant_id: string;
}

function sortByTenant<Each extends WaitingTenant>(tenants: readonly Each[]): Each[] {
  return tenants.toSorted((a, b) => (a.tenant_id < b.tenant_id ? -1 : 1));
}

/** Number of waiting rows per tenant that are checked before its targets are polled. */
const SAMPLE_ROWS = 50;

/**
 * Returns the next tenants that may have a due row: one of their first `SAMPLE_ROWS` rows is due, or there may be more
 * rows. On a cluster, tenants are found by their default units, which are on the same nodes as their rows.
 */
async function listWaiting(
  all: EveryTenantDb,
  view: string,
  now: Date,
  { after, tenants }: Pick<DuePoll, 'after' | 'tenants'>,
): Promise<WaitingTenant[]> {
  const { rows } = await all.gather(
    (inTenants) => sql<WaitingTenant>`
      select u.tenant_id from business_units u
      cross join lateral (
        select from (
          select l.due_at from ${sql.table(view)} l
          where l.tenant_id = u.tenant_id and ${inTenants('l.tenant_id')} and l.state = 'pending' limit ${SAMPLE_ROWS}) few
        having bool_or(few.due_at <= greatest(${now}::timestamptz, now())) or count(*) = ${SAMPLE_ROWS}) waiting
      where u.is_default and u.tenant_id > ${after ?? NIL} and ${inTenants('u.tenant_id')}
      order by u.tenant_id limit ${tenants}`,
  );
  return sortByTenant(rows).slice(0, tenants);
}

/** Returns the due targets of the next tenants, or only of the tenant of `all`; see sql/due-targets.sql. */
async function findDueTargets(
  all: EveryTenantDb,
  { table, view, isOrdered }: PolledRows,
  now: Date,
  { after, tenants: size, perTarget, perTenant, known }: DuePoll,
): Promise<TenantPage> {
  const { rows } = await all.raw(sql<{ tenant_id: string; target_id: string | null; due: number }>`
    select tenant_id, target_id, due from tessera_due_targets(${all.tenantId}, ${table}, ${view}, ${now}, ${perTarget}, ${perTenant}, ${after ?? NIL},
      ${size}, ${known.map((tenant) => tenant.tenant_id)}, ${known.map((tenant) => tenant.after ?? NIL)},
      ${known.map((tenant) => tenant.maxTargets)}, ${isOrdered})`);
  const tenants = [...Map.groupBy(rows, (row) => row.tenant_id)].map(([tenant_id, found]) => ({
    tenant_id,
    targets: found.flatMap(({ target_id, due }) =>
      target_id === null ? [] : [{ tenant_id, target_id, due }],
    ),
  }));
  return { tenants, end: tenants.length < size ? null : (tenants.at(-1)?.tenant_id ?? null) };
}

/** The look for due rows: which tenants wait, and for which of their targets something is due. */
import { sql } from 'kysely';
import { NIL } from 'uuid';
import type { EveryTenantDb } from '../db/every-tenant.ts';
import type { Platform } from '../platform.ts';
import { closedTenants } from '../tenancy/closed-tenants.ts';
import type { LedgerDefinition } from './ledger.ts';

/** A target with rows that are due now: within it concurrency is bounded. */
export interface DueTarget {
  readonly tenant_id: string;
  readonly target_id: string;
  /** Due rows, counted no further than the places of a target. */
  readonly due: number;
}

/** What a look for due targets is told of a tenant that is being worked. */
export interface KnownTenant {
  readonly tenant_id: string;
  /** The target after which the look begins; null: with the first. */
  readonly after: string | null;
  /** How many due targets to look for. */
  readonly places: number;
}

/** The due targets of one tenant. */
export interface DueTenant {
  readonly tenant_id: string;
  /** In the order of their ids, after where the look began. */
  readonly targets: readonly DueTarget[];
}

/** Some tenants with waiting rows, whether due or not. */
export interface TenantPage {
  readonly tenants: readonly DueTenant[];
  /** The tenant after which the next page begins; null when this was the last. */
  readonly end: string | null;
}

/** Where a look begins and how far it goes. */
export interface Look {
  /** The tenant after which it begins; null: with the first. */
  readonly after: string | null;
  readonly tenants: number;
  /** How many due rows of a target are counted. */
  readonly perTarget: number;
  /** How many due targets of a tenant that is not known are looked for. */
  readonly perTenant: number;
  readonly known: readonly KnownTenant[];
}

type LookFacts = 'table' | 'view' | 'besides' | 'isOrdered';

/** Where rows are looked for, and whether each has its turn. */
interface Looked {
  readonly view: string;
  readonly isOrdered: boolean;
}

/** The next tenants with their due targets; `onError` is told of those of which it could not be read. */
export async function listDueTenants(
  all: EveryTenantDb,
  { table, view = table, besides = [], isOrdered = false }: Pick<LedgerDefinition<never>, LookFacts>,
  now: Date,
  look: Look,
  onError: (error: unknown) => void,
): Promise<TenantPage> {
  if (!all.isSharded) return lookForDue(all, { view, isOrdered }, now, look);
  const waiting = await listWaiting(all, view, now, look);
  const isLast = waiting.length < look.tenants;
  // A look that waited for a machine that is silent would be one for nobody.
  const reachable = isLast && besides.length > 0 ? await all.listReachable(besides) : [];
  const pages = await all.byTenant(
    [...waiting.map(({ tenant_id }) => tenant_id), ...reachable],
    (tenantId) => tenantId,
    // One whose node is away must not hold the others.
    (db) =>
      lookForDue(db, { view, isOrdered }, now, look).catch((error: unknown) => {
        onError(error);
        return NOTHING_DUE;
      }),
  );
  const tenants = pages.flatMap((page) => page.tenants);
  return { tenants: inOrder(tenants), end: isLast ? null : (waiting.at(-1)?.tenant_id ?? null) };
}

/** The page, with nothing due of tenants that are closed: what they have waits until they are open again. */
export function withoutClosed({ tenants, end }: TenantPage, platform: Platform): TenantPage {
  const closed = closedTenants(platform);
  const open = tenants.map((each) => (closed.has(each.tenant_id) ? { ...each, targets: [] } : each));
  return { tenants: open, end };
}

const NOTHING_DUE: TenantPage = { tenants: [], end: null };

interface Waiting {
  readonly tenant_id: string;
}

function inOrder<Each extends Waiting>(tenants: readonly Each[]): Each[] {
  return tenants.toSorted((a, b) => (a.tenant_id < b.tenant_id ? -1 : 1));
}

/** So many of a tenant's waiting rows are looked at before each of its targets is. */
const FEW_ROWS = 50;

/**
 * The next tenants of which a row may be due: one of their first few is, or there are more than those. Tenants that are
 * spread over nodes are asked for by their default units, which are where their rows are.
 */
async function listWaiting(
  all: EveryTenantDb,
  view: string,
  now: Date,
  { after, tenants }: Pick<Look, 'after' | 'tenants'>,
): Promise<Waiting[]> {
  const { rows } = await all.gather(
    (isAskedFor) => sql<Waiting>`
      select u.tenant_id from business_units u
      cross join lateral (
        select from (
          select l.due_at from ${sql.table(view)} l
          where l.tenant_id = u.tenant_id and ${isAskedFor('l.tenant_id')} and l.state = 'pending' limit ${FEW_ROWS}) few
        having bool_or(few.due_at <= ${now}) or count(*) = ${FEW_ROWS}) waiting
      where u.is_default and u.tenant_id > ${after ?? NIL} and ${isAskedFor('u.tenant_id')}
      order by u.tenant_id limit ${tenants}`,
  );
  return inOrder(rows).slice(0, tenants);
}

/** The due targets of the next tenants, or of the one that `db` is of; sql/due-targets.sql tells how. */
async function lookForDue(
  all: EveryTenantDb,
  { view, isOrdered }: Looked,
  now: Date,
  { after, tenants: size, perTarget, perTenant, known }: Look,
): Promise<TenantPage> {
  const { rows } = await all.raw(sql<{ tenant_id: string; target_id: string | null; due: number }>`
    select tenant_id, target_id, due from tessera_due_targets(${all.tenantId}, ${view}, ${now}, ${perTarget}, ${perTenant}, ${after ?? NIL}, ${size},
      ${known.map((tenant) => tenant.tenant_id)}, ${known.map((tenant) => tenant.after ?? NIL)},
      ${known.map((tenant) => tenant.places)}, ${isOrdered})`);
  const tenants = [...Map.groupBy(rows, (row) => row.tenant_id)].map(([tenant_id, found]) => ({
    tenant_id,
    targets: found.flatMap(({ target_id, due }) =>
      target_id === null ? [] : [{ tenant_id, target_id, due }],
    ),
  }));
  return { tenants, end: tenants.length < size ? null : (tenants.at(-1)?.tenant_id ?? null) };
}

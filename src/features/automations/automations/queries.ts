/** Automations and their versions. */
import { sql } from 'kysely';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import type { AutomationRow } from './resource.ts';
import { type AutomationDefinition, ENTITY_TRIGGERS, type TriggerType } from './schema.ts';

/** An automation that can be triggered. */
export interface ActiveAutomation {
  readonly id: string;
  readonly key: string;
  readonly version: number;
  readonly triggerType: TriggerType;
  /** Entity of a record trigger, otherwise null. */
  readonly entityKey: string | null;
}

/** An active automation with its trigger parameters. */
export interface TriggeredAutomation extends ActiveAutomation {
  readonly triggerParams: Readonly<Record<string, unknown>>;
}

const ACTIVE_COLUMNS = [
  'id',
  'key',
  'version',
  'trigger_type as triggerType',
  'entity_key as entityKey',
] as const;

/** Lists the active automations that record changes trigger, oldest first. */
export function listRecordAutomations(db: ScopedDb): Promise<ActiveAutomation[]> {
  return db.query
    .selectFrom('automations')
    .select(ACTIVE_COLUMNS)
    .where('active', '=', true)
    .where('trigger_type', 'in', ENTITY_TRIGGERS)
    .orderBy('created_at')
    .orderBy('key')
    .execute();
}

/** Lists those of these automations that are active, by key. */
export function listActiveOf(
  db: ScopedDb,
  ids: readonly string[],
): Promise<{ id: string; key: string; name: string }[]> {
  return db.query
    .selectFrom('automations')
    .select(['id', 'key', 'name'])
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .where('active', '=', true)
    .orderBy('key')
    .execute();
}

/** Lists the keys of the active automations that changes of an entity trigger. */
export async function listActiveKeysOf(db: ScopedDb, entity: string): Promise<readonly string[]> {
  const rows = await db.query
    .selectFrom('automations')
    .select('key')
    .where('entity_key', '=', entity)
    .where('trigger_type', 'in', [...ENTITY_TRIGGERS])
    .where('active', '=', true)
    .orderBy('key')
    .execute();
  return rows.map(({ key }) => key);
}

/** Returns those of the given automations that are active, in their current version, oldest first. */
export function listActiveAutomations(db: ScopedDb, ids: readonly string[]): Promise<ActiveAutomation[]> {
  return db.query
    .selectFrom('automations')
    .select(ACTIVE_COLUMNS)
    .where('active', '=', true)
    .where((eb) => eb('id', '=', eb.fn.any(eb.val([...ids]))))
    .orderBy('created_at')
    .orderBy('key')
    .execute();
}

/** Returns an active automation by key or id in its current version, or undefined. */
export function findActiveAutomation(
  db: ScopedDb,
  name: { readonly key: string } | { readonly id: string },
): Promise<TriggeredAutomation | undefined> {
  return db.query
    .selectFrom('automations')
    .select([...ACTIVE_COLUMNS, 'trigger_params as triggerParams'])
    .where('active', '=', true)
    .where((eb) => eb.and(name))
    .executeTakeFirst();
}

/** Counts the automations of the tenant. */
export async function countAutomations(db: ScopedDb): Promise<number> {
  const { count } = await db.query
    .selectFrom('automations')
    .select(sql<number>`count(*)::int`.as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

/** Stores the current version of an automation for its runs. */
export async function insertVersion(tx: ScopedDb, row: AutomationRow): Promise<void> {
  const definition: AutomationDefinition = {
    key: row.key,
    name: row.name,
    triggerType: row.trigger_type,
    triggerParams: row.trigger_params,
    actions: row.actions,
    conditionalActions: row.conditional_actions,
    entityKey: row.entity_key,
    onFailure: row.on_failure,
  };
  await tx.query
    .insertInto('automation_versions')
    .values({
      tenant_id: tx.tenantId,
      automation_id: row.id,
      version: row.version,
      definition: JSON.stringify(definition),
      replaced_at: null,
    })
    .execute();
}

/** Marks a previous version as replaced. */
export async function markReplaced(tx: ScopedDb, automationId: string, now: Date): Promise<void> {
  await tx.query
    .updateTable('automation_versions')
    .set({ replaced_at: now })
    .where('automation_id', '=', automationId)
    .where('replaced_at', 'is', null)
    .execute();
}

/** Returns a version of an automation, or undefined if it is no longer stored. */
export async function findVersion(
  db: ScopedDb,
  automationId: string,
  version: number,
): Promise<AutomationDefinition | undefined> {
  const found = await db.query
    .selectFrom('automation_versions')
    .select('definition')
    .where('automation_id', '=', automationId)
    .where('version', '=', version)
    .executeTakeFirst();
  return found?.definition;
}

/** Automations and their versions. */
import { sql } from 'kysely';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import type { AutomationRow } from './resource.ts';
import { type AutomationDefinition, ENTITY_TRIGGERS, type TriggerType } from './schema.ts';

/** An automation that may be set off. */
export interface ActiveAutomation {
  readonly id: string;
  readonly key: string;
  readonly version: number;
  readonly triggerType: TriggerType;
  /** Of records the entity; null: it names none. */
  readonly entityKey: string | null;
}

/** The same with what its trigger needs to know. */
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

/** The active automations that changes of records set off, the oldest first. */
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

/** Of these automations the active ones, as they are now, the oldest first. */
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

/** An active automation by its key or by its id, as it is now; undefined: there is none. */
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

/** How many automations there are. */
export async function countAutomations(db: ScopedDb): Promise<number> {
  const { count } = await db.query
    .selectFrom('automations')
    .select(sql<number>`count(*)::int`.as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

/** Keeps what an automation is now, for its runs. */
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

/** Notes that the version which an automation had is not the present one any more. */
export async function markReplaced(tx: ScopedDb, automationId: string, now: Date): Promise<void> {
  await tx.query
    .updateTable('automation_versions')
    .set({ replaced_at: now })
    .where('automation_id', '=', automationId)
    .where('replaced_at', 'is', null)
    .execute();
}

/** What an automation was in a version; undefined: it is not kept any more. */
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

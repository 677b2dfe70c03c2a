import { v7 as uuidv7 } from 'uuid';
import { AppError } from '../../../errors/app-error.ts';
import { ruleBroken } from '../../../errors/platform-errors.ts';
import type { AutomationTrigger, TriggerOwner } from '../../../flows/automation-trigger.ts';
import type { MemberContext } from '../../../http/context.ts';
import { columnsOf, setOnceOf } from '../../../resources/body.ts';
import { lastVersionOf } from '../../../resources/history.ts';
import { readsShared } from '../../../resources/ownership.ts';
import { changeRecord, createRecord, deleteRecord, getRecord } from '../../../resources/records.ts';
import { optionsOf } from '../../../resources/route-parts.ts';
import { entityExists, raiseRevision } from './entity-definitions.ts';
import { countAutomations, insertVersion, markReplaced } from './queries.ts';
import {
  type AutomationCreate,
  type AutomationReplace,
  type AutomationRow,
  automationResource as automations,
} from './resource.ts';
import { MAX_AUTOMATIONS } from './schema.ts';
import { sealDefinition } from './sealed-definition.ts';

type Triggers = readonly AutomationTrigger[];

/**
 * Creates an automation. @throws AppError FORBIDDEN, DUPLICATE_AUTOMATION, INVALID_AUTOMATION for a secret header
 * without a value, VALIDATION_ERROR for an unknown entity or one automation too many, and the errors of its trigger.
 */
export async function createAutomation(
  ctx: MemberContext,
  triggers: Triggers,
  body: AutomationCreate,
): Promise<{ key: string }> {
  const { db, platform } = ctx;
  // First, to serialize changes of the tenant's automations and to notify writers of records.
  await raiseRevision(platform, db);
  await requireEntity(ctx, body.entityKey);
  if ((await countAutomations(db)) >= MAX_AUTOMATIONS)
    throw ruleBroken(
      'key',
      `exceeds the limit of ${MAX_AUTOMATIONS} automations per tenant; delete one first`,
    );
  const id = uuidv7();
  const sealed = sealDefinition(platform.secrets, id, body, null);
  const columns = { ...columnsOf(automations.fields, 'create', body), ...sealed, id };
  const firstVersion = (await lastVersionOf(db, 'automation', body.key)) + 1;
  const row = await createRecord(ctx, automations, columns, { key: body.key, firstVersion });
  await insertVersion(db, row);
  await notifyTriggers(ctx, triggers, null, row);
  return { key: row.key };
}

/**
 * Replaces an automation. Runs keep the version with which they were requested. @throws AppError NOT_FOUND, FORBIDDEN,
 * INVALID_AUTOMATION, IMMUTABLE_FIELD, VERSION_CONFLICT, VALIDATION_ERROR, and the errors of its trigger.
 */
export async function replaceAutomation(
  ctx: MemberContext,
  triggers: Triggers,
  key: string,
  body: AutomationReplace,
): Promise<{ key: string }> {
  const { db, now, platform } = ctx;
  await raiseRevision(platform, db);
  const columns = columnsOf(automations.fields, 'replace', body);
  const options = { ...optionsOf(automations, body), setOnce: setOnceOf(automations.fields, body) };
  let before: AutomationRow | null = null;
  const row = await changeRecord(ctx, automations, key, options, async (current) => {
    before = current;
    await requireEntity(ctx, body.entityKey);
    return { ...columns, ...sealDefinition(platform.secrets, current.id, body, current) };
  });
  await markReplaced(db, row.id, now);
  await insertVersion(db, row);
  await notifyTriggers(ctx, triggers, before, row);
  return { key };
}

/**
 * Deletes an automation. Runs that have not begun are skipped; the others continue. @throws AppError NOT_FOUND,
 * FORBIDDEN.
 */
export async function deleteAutomation(
  ctx: MemberContext,
  triggers: Triggers,
  key: string,
): Promise<{ key: string }> {
  await raiseRevision(ctx.platform, ctx.db);
  const row = await deleteRecord(ctx, automations, key);
  await markReplaced(ctx.db, row.id, ctx.now);
  await notifyTriggers(ctx, triggers, row, null);
  return { key };
}

/** Returns an automation. @throws AppError NOT_FOUND, also for a member without any unit. */
export async function getAutomation({ caller, db }: MemberContext, key: string): Promise<AutomationRow> {
  if (!readsShared(caller)) throw new AppError(automations.notFound);
  return getRecord(db, automations, key);
}

/** Returns an automation for GET. Only owners see the hook's address, because it authorizes calls. */
export async function showAutomation(ctx: MemberContext, triggers: Triggers, key: string) {
  const row = await getAutomation(ctx, key);
  const trigger = triggers.find(({ type }) => type === row.trigger_type);
  const url = ctx.caller.isTenantAdmin ? await trigger?.urlOf?.(ctx, ownerOf(row)) : undefined;
  return { ...automations.view(row), ...(url === undefined ? {} : { webhook_url: url }) };
}

async function requireEntity(
  { platform, db }: MemberContext,
  entityKey: string | null | undefined,
): Promise<void> {
  if (entityKey === undefined || entityKey === null) return;
  if (!(await entityExists(platform, db, entityKey)))
    throw ruleBroken('entityKey', 'must be the name of an existing entity');
}

async function notifyTriggers(
  ctx: MemberContext,
  triggers: Triggers,
  before: AutomationRow | null,
  after: AutomationRow | null,
): Promise<void> {
  for (const { type, onChange } of triggers) {
    const ownerOrNull = (row: AutomationRow | null) => (row?.trigger_type === type ? ownerOf(row) : null);
    const change = { before: ownerOrNull(before), after: ownerOrNull(after) };
    if (change.before !== null || change.after !== null) await onChange?.(ctx, change);
  }
}

function ownerOf({ id, key, version, active, trigger_type, trigger_params }: AutomationRow): TriggerOwner {
  return { id, key, version, active, triggerType: trigger_type, triggerParams: trigger_params };
}

import { AppError, type Issue } from '../../../errors/app-error.ts';
import { ruleBroken, VALIDATION_ERROR } from '../../../errors/platform-errors.ts';
import type { MemberContext } from '../../../http/context.ts';
import { columnsOf, setOnceOf } from '../../../resources/body.ts';
import { lastVersionOf } from '../../../resources/history.ts';
import { answerAll } from '../../../resources/large-lists.ts';
import { readsShared } from '../../../resources/ownership.ts';
import { changeRecord, createRecord, deleteRecord, getRecord } from '../../../resources/records.ts';
import type { RestoringContext } from '../../../resources/restored-records.ts';
import { optionsOf } from '../../../resources/route-parts.ts';
import { listFirst, MAX_USES } from '../../../resources/uses.ts';
import { deactivateAutomationsOf } from '../../automations/api.ts';
import { beginChange, changeTable, dropTable, makeTable } from './change.ts';
import { checkChange } from './change-check.ts';
import { requireTotalSize } from './definition-checks.ts';
import { entityTableOf } from './entity-table.ts';
import { DUPLICATE_ENTITY, ENTITY_IN_USE } from './errors.ts';
import { refuseLosses, refuseLostRecords } from './losses.ts';
import { storedNameOf } from './models.ts';
import { readDefinitions, removeEvents } from './queries.ts';
import { findBrokenRelations, listReferrers } from './relations.ts';
import { type EntityCreate, type EntityReplace, entityResource } from './resource.ts';
import { type Definition, MAX_ENTITIES } from './schema.ts';
import { dropStaging, type PreparedChange, stageChange } from './staging.ts';

/** The context of a write of a definition. A dry run leaves the tables alone. */
type WritingContext = MemberContext & RestoringContext;

/** Lists all definitions of the tenant, newest first; empty for a member without a unit. */
export async function listEntities({ caller, db }: MemberContext) {
  return readsShared(caller) ? answerAll(db, entityResource, {}) : { results: [] };
}

/** Returns a definition. @throws AppError NOT_FOUND, also for a member without a unit. */
export async function getEntity({ caller, db }: MemberContext, name: string) {
  if (!readsShared(caller)) throw new AppError(entityResource.notFound);
  return entityResource.view(await getRecord(db, entityResource, name));
}

/**
 * Defines an entity and creates its table.
 * @throws AppError FORBIDDEN, DUPLICATE_ENTITY, VALIDATION_ERROR for relations to missing entities, ENTITY_BUSY.
 */
export async function createEntity(ctx: WritingContext, body: EntityCreate): Promise<{ name: string }> {
  const { db, isDryRun } = ctx;
  if (!isDryRun) await beginChange(db);
  const { definitions } = await readDefinitions(db);
  if (definitions.some(({ name }) => name === body.name)) throw new AppError(DUPLICATE_ENTITY);
  if (definitions.length >= MAX_ENTITIES)
    throw ruleBroken('name', `exceeds the limit of ${MAX_ENTITIES} entities per tenant; delete one first`);
  const columns = columnsOf(entityResource.fields, 'create', body);
  const firstVersion = (await lastVersionOf(db, 'entity', body.name)) + 1;
  const row = await createRecord(ctx, entityResource, columns, { key: body.name, firstVersion });
  refuseFor(findUnitsName(row));
  refuseFor(findBrokenRelations(row, definitions));
  requireTotalSize([...definitions, row]);
  if (!isDryRun) await makeTable(db, row);
  return { name: row.name };
}

/** Body of a replace, with members that cannot change. */
type Replacement = EntityReplace & {
  readonly name?: unknown;
  readonly owned_by?: unknown;
  readonly drop?: readonly string[];
};

/**
 * Runs the slow steps of a replacement before its transaction. Returns null if there are none, for a dry run, or if the
 * replacement will be refused.
 * @throws AppError WOULD_LOSE_DATA, VALIDATION_ERROR for records that violate new rules, ENTITY_BUSY; nothing is
 * changed then.
 */
export async function prepareReplacement(
  { db, platform, isDryRun }: WritingContext,
  name: string,
  body: Replacement,
): Promise<PreparedChange | null> {
  const { definitions } = await readDefinitions(db);
  const old = definitions.find((each) => each.name === name);
  if (old === undefined) return null;
  const { fields, workflow } = body;
  const next = { name, owned_by: old.owned_by, fields, workflow: workflow ?? null };
  const others = definitions.filter((each) => each !== old);
  const faults = [
    ...findUnitsName(next),
    ...findMissingDefaults(old, next),
    ...findBrokenRelations(next, others),
  ];
  const isRefused =
    faults.length > 0 ||
    (optionsOf(entityResource, body).version ?? old.version) !== old.version ||
    (body.name ?? name) !== name ||
    (body.owned_by ?? old.owned_by) !== old.owned_by;
  if (isRefused) return null;
  await refuseLosses((write) => db.raw(write), entityTableOf(db, name), [old, next], body.drop ?? []);
  if (!isDryRun) return stageChange(platform, db, old, next);
  await checkChange(platform, db, old, next);
  return null;
}

/** Drops the staged parts of a replacement that failed. */
export async function abandonReplacement(
  { db }: MemberContext,
  name: string,
  prepared: PreparedChange | null,
): Promise<void> {
  if (prepared?.isStaged) await dropStaging(db, name);
}

/**
 * Replaces a definition and changes its table.
 * @throws AppError NOT_FOUND, FORBIDDEN, IMMUTABLE_FIELD, VERSION_CONFLICT, WOULD_LOSE_DATA, ENTITY_BUSY,
 * VALIDATION_ERROR for invalid relations or records that violate new rules; nothing is changed then.
 */
export async function replaceEntity(
  ctx: WritingContext,
  name: string,
  body: Replacement,
  prepared: PreparedChange | null,
): Promise<{ name: string }> {
  const { db, isDryRun } = ctx;
  if (!isDryRun) await beginChange(db);
  const { definitions } = await readDefinitions(db);
  const columns = columnsOf(entityResource.fields, 'replace', body);
  const options = { ...optionsOf(entityResource, body), setOnce: setOnceOf(entityResource.fields, body) };
  const old = definitions.find((each) => each.name === name);
  const row = await changeRecord(ctx, entityResource, name, options, () => columns);
  if (old === undefined) throw new Error(`The entity ${name} was created after its tenant was locked.`);
  const others = definitions.filter((each) => each !== old);
  refuseFor(findUnitsName(row));
  refuseFor(findMissingDefaults(old, row));
  refuseFor(findBrokenRelations(row, others));
  requireTotalSize([...others, row]);
  if (!isDryRun) await changeTable(ctx, old, row, prepared, body.drop ?? []);
  return { name };
}

/**
 * Counts the records of an entity before its table is locked, unless they may be deleted. @throws AppError
 * WOULD_LOSE_DATA.
 */
export async function prepareDeletion(
  { db }: MemberContext,
  name: string,
  mayLoseRecords: boolean,
): Promise<void> {
  if (mayLoseRecords) return;
  const { definitions } = await readDefinitions(db);
  const isReferred = listReferrers(name, definitions).length > 0;
  if (isReferred || !definitions.some((each) => each.name === name)) return;
  await refuseLostRecords((write) => db.raw(write), entityTableOf(db, name));
}

/**
 * Deletes a definition with its table and all records. Removes its events from webhooks, and deactivates its
 * automations.
 * @throws AppError NOT_FOUND, FORBIDDEN, ENTITY_IN_USE, WOULD_LOSE_DATA, ENTITY_BUSY.
 */
export async function deleteEntity(
  ctx: MemberContext,
  name: string,
  mayLoseRecords: boolean,
): Promise<{ name: string }> {
  const { db } = ctx;
  await beginChange(db);
  const { definitions } = await readDefinitions(db);
  const row = await deleteRecord(ctx, entityResource, name);
  const referrers = listReferrers(name, definitions);
  if (referrers.length > 0)
    throw new AppError(ENTITY_IN_USE, {
      message: `Other entities refer to this one: ${listFirst(referrers.slice(0, MAX_USES), referrers.length)}.`,
    });
  await dropTable(db, row, mayLoseRecords);
  await removeEvents(db, name);
  await deactivateAutomationsOf(ctx, name);
  return { name };
}

/**
 * Finds new required fields without a value for existing records. Relations cannot have a default; existing records
 * refuse them.
 */
function findMissingDefaults(old: Definition, next: Definition): Issue[] {
  const known = new Set(old.fields.map(storedNameOf));
  return next.fields.flatMap((field, index): Issue[] => {
    const isNew = !known.has(storedNameOf(field));
    const isFilled = (field.default ?? null) !== null || next.workflow?.field === field.name;
    if (!isNew || field.required !== true || field.type === 'relation' || isFilled) return [];
    return [
      {
        field: `fields[${index}].default`,
        message: 'is required for a new required field: it is set in existing records',
      },
    ];
  });
}

/** Name under which records of units show their owner. */
const UNITS_NAME = 'business_unit';

/** Finds a field that would have the same name as the owner of unit-owned records. */
function findUnitsName({ owned_by, fields }: Definition): Issue[] {
  const index = fields.findIndex(({ name }) => name === UNITS_NAME);
  return owned_by === 'business_unit' && index >= 0
    ? [{ field: `fields[${index}].name`, message: 'is reserved where units own records: it names the owner' }]
    : [];
}

/** @throws AppError VALIDATION_ERROR if there are issues. */
function refuseFor(issues: Issue[]): void {
  if (issues.length > 0) throw new AppError(VALIDATION_ERROR, { issues });
}

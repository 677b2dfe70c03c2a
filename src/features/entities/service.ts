import { AppError, type Issue } from '../../errors/app-error.ts';
import { ruleBroken, VALIDATION_ERROR } from '../../errors/platform-errors.ts';
import type { MemberContext } from '../../http/context.ts';
import { columnsOf, setOnceOf } from '../../resources/body.ts';
import { lastVersionOf } from '../../resources/history.ts';
import { answerWholeList } from '../../resources/large-lists.ts';
import { readsShared } from '../../resources/ownership.ts';
import { changeRecord, createRecord, deleteRecord, getRecord } from '../../resources/records.ts';
import { optionsOf } from '../../resources/route-parts.ts';
import { beginChange, changeTable, dropTable, makeTable } from './change.ts';
import { DUPLICATE_ENTITY, ENTITY_IN_USE } from './errors.ts';
import { storedNameOf } from './models.ts';
import { forgetEvents, readDefinitions } from './queries.ts';
import { findBrokenRelations, listReferrers } from './relations.ts';
import { type EntityCreate, type EntityReplace, type EntityRow, entityResource } from './resource.ts';
import { type Definition, MAX_ENTITIES } from './schema.ts';

/** All definitions of the tenant, newest first; none for a member without any unit. */
export async function listEntities({ caller, db }: MemberContext) {
  return readsShared(caller) ? answerWholeList(db, entityResource, {}) : { results: [] };
}

/** A definition as answers show it. @throws AppError NOT_FOUND, also for a member without any unit. */
export async function getEntity({ caller, db }: MemberContext, name: string) {
  if (!readsShared(caller)) throw new AppError(entityResource.notFound);
  return entityResource.view(await getRecord(db, entityResource, name));
}

/**
 * Defines an entity and makes its table.
 * @throws AppError FORBIDDEN, DUPLICATE_ENTITY, VALIDATION_ERROR for relations to what is not there, ENTITY_BUSY.
 */
export async function createEntity(ctx: MemberContext, body: EntityCreate): Promise<{ name: string }> {
  const { db, platform } = ctx;
  await beginChange(db);
  const { definitions } = await readDefinitions(db);
  if (definitions.some(({ name }) => name === body.name)) throw new AppError(DUPLICATE_ENTITY);
  if (definitions.length >= MAX_ENTITIES)
    throw ruleBroken('name', `a tenant has at most ${MAX_ENTITIES} entities`);
  const columns = columnsOf(entityResource.fields, 'create', body);
  const firstVersion = (await lastVersionOf(db, 'entity', body.name)) + 1;
  const row = await createRecord(ctx, entityResource, columns, { key: body.name, firstVersion });
  requireUnitsName(row);
  requireRelations(row, definitions);
  await makeTable(db, row, platform.database.isSharded);
  return { name: row.name };
}

/**
 * Replaces a definition and changes the table with it.
 * @throws AppError NOT_FOUND, FORBIDDEN, IMMUTABLE_FIELD, VERSION_CONFLICT, ENTITY_BUSY, VALIDATION_ERROR for what
 * relations or records refuse: nothing is changed then.
 */
export async function replaceEntity(
  ctx: MemberContext,
  name: string,
  body: EntityReplace & { readonly name?: unknown; readonly owned_by?: unknown },
): Promise<{ name: string }> {
  const { db } = ctx;
  await beginChange(db);
  const { definitions } = await readDefinitions(db);
  const columns = columnsOf(entityResource.fields, 'replace', body);
  const options = { ...optionsOf(entityResource, body), setOnce: setOnceOf(entityResource.fields, body) };
  const old = definitions.find((each) => each.name === name);
  const row = await changeRecord(ctx, entityResource, name, options, () => columns);
  if (old === undefined) throw new Error(`The entity ${name} has come after its tenant was locked.`);
  requireUnitsName(row);
  requireDefaults(old, row);
  requireRelations(
    row,
    definitions.filter((each) => each !== old),
  );
  await changeTable(db, old, row);
  return { name };
}

/** Deletes a definition, drops its table with all records, and tells webhooks nothing of it any more. @throws AppError NOT_FOUND, FORBIDDEN, ENTITY_IN_USE, ENTITY_BUSY. */
export async function deleteEntity(ctx: MemberContext, name: string): Promise<{ name: string }> {
  const { db } = ctx;
  await beginChange(db);
  const { definitions } = await readDefinitions(db);
  const row = await deleteRecord(ctx, entityResource, name);
  const referrers = listReferrers(name, definitions);
  if (referrers.length > 0)
    throw new AppError(ENTITY_IN_USE, {
      message: `Other entities refer to this one: ${referrers.join(', ')}.`,
    });
  await dropTable(db, row);
  await forgetEvents(db, name);
  return { name };
}

/**
 * @throws AppError VALIDATION_ERROR when a new field is required and has nothing to fill the records with that are there. A relation
 * cannot have: it is for the records to refuse.
 */
function requireDefaults(old: Definition, next: Definition): void {
  const known = new Set(old.fields.map(storedNameOf));
  const issues = next.fields.flatMap((field, index): Issue[] => {
    const isNew = !known.has(storedNameOf(field));
    const isFilled = (field.default ?? null) !== null || next.workflow?.field === field.name;
    if (!isNew || field.required !== true || field.type === 'relation' || isFilled) return [];
    return [
      {
        field: `fields[${index}].default`,
        message: 'is needed for a new required field: it fills the records that are there',
      },
    ];
  });
  if (issues.length > 0) throw new AppError(VALIDATION_ERROR, { issues });
}

/** Under which records of units show their owner. */
const UNITS_NAME = 'business_unit';

/** @throws AppError VALIDATION_ERROR when a field is called as the owner of records of units is. */
function requireUnitsName({ owned_by, fields }: Definition): void {
  const index = fields.findIndex(({ name }) => name === UNITS_NAME);
  if (owned_by === 'business_unit' && index >= 0)
    throw ruleBroken(`fields[${index}].name`, 'is reserved where units own records: it names the owner');
}

/** @throws AppError VALIDATION_ERROR when the definition, or one of the others, refers to what is not there. */
function requireRelations(row: EntityRow, others: readonly Definition[]): void {
  const issues = findBrokenRelations(row, others);
  if (issues.length > 0) throw new AppError(VALIDATION_ERROR, { issues });
}

/** The collections of a Directus, and the entities that they become. */
import Type, { type Static, type TSchema } from 'typebox';
import Value from 'typebox/value';
import { type DirectusApi, DirectusCollection, DirectusField, DirectusRelation } from './directus-api.ts';
import { type EntityNames, type FieldPlan, planField, type Reference } from './directus-fields.ts';
import { NameAllocator, RESERVED_ENTITIES, RESERVED_FIELDS } from './directus-names.ts';
import { carry, type Move } from './move.ts';
import { RejectedCall } from './target.ts';

/** Field of the entities for the id that an item has in Directus. */
export const ID_FIELD = 'directus_id';
const MAX_FIELDS = 200;

/** How a collection is imported. */
export interface CollectionPlan {
  readonly collection: string;
  readonly entity: string;
  readonly isSingleton: boolean;
  /** Field with the ids of items in Directus. */
  readonly primaryKey: string;
  readonly fields: readonly FieldPlan[];
}

interface Columns {
  readonly primaryKey: string;
  readonly fields: readonly DirectusField[];
}

/** Reads collections, fields and relations, and reports what has no counterpart. */
export async function readModel(move: Move, api: DirectusApi): Promise<readonly CollectionPlan[]> {
  const { report } = move;
  const collections = readAll(move, 'collection', DirectusCollection, await api.whole('/collections'));
  const fields = readAll(move, 'field', DirectusField, await api.whole('/fields'));
  const relations = readAll(move, 'relation', DirectusRelation, await api.whole('/relations'));
  const references = new Map<string, Reference>(
    relations.map((each) => [`${each.collection}.${each.field}`, each.related_collection ?? null]),
  );
  const own = collections.filter(({ collection }) => !collection.startsWith('directus_'));
  if (own.length === 0) report.leave('collections', 'Directus shows none to the user of SOURCE_TOKEN');
  const names = new NameAllocator('entity', RESERVED_ENTITIES);
  const columns = new Map<string, Columns>();
  const entities = new Map<string, string>();
  for (const { collection, schema } of own) {
    if (schema === null || schema === undefined) {
      report.leave(`folder ${collection}`, 'folders of collections have no counterpart');
      continue;
    }
    const split = splitFields(
      move,
      collection,
      fields.filter((field) => field.collection === collection),
    );
    if (split === undefined) continue;
    const entity = names.assign(collection);
    if (entity !== collection) report.change(`collection ${collection}`, `is the entity ${entity}`);
    columns.set(collection, split);
    entities.set(collection, entity);
  }
  return own.flatMap(({ collection, meta }) => {
    const found = columns.get(collection);
    const entity = entities.get(collection);
    if (found === undefined || entity === undefined) return [];
    return {
      collection,
      entity,
      isSingleton: meta?.singleton === true,
      primaryKey: found.primaryKey,
      fields: planFields(move, found.fields, references, entities),
    };
  });
}

/** Separates columns from the primary key, and reports fields that are no columns. */
function splitFields(
  { report }: Move,
  collection: string,
  fields: readonly DirectusField[],
): Columns | undefined {
  const isColumn = ({ type, schema }: DirectusField) =>
    type !== 'alias' && schema !== null && schema !== undefined;
  const isList = ({ meta }: DirectusField) =>
    ['o2m', 'm2m', 'm2a', 'files', 'translations'].some((kind) => meta?.special?.includes(kind));
  const others = fields.filter((field) => !isColumn(field));
  const namesOf = (some: readonly DirectusField[]) => some.map(({ field }) => field).join(', ');
  const lists = others.filter(isList);
  const rest = others.filter((field) => !isList(field));
  if (lists.length > 0)
    report.leave(
      `${collection}: ${namesOf(lists)}`,
      'lists of related items; the records on the other side refer to this one',
    );
  if (rest.length > 0)
    report.leave(`${collection}: ${namesOf(rest)}`, 'groups and decoration without values');
  const columns = fields.filter(isColumn);
  const key = columns.find(({ schema }) => schema?.is_primary_key === true);
  if (key === undefined) {
    report.leave(`collection ${collection}`, 'has no primary key that the user of SOURCE_TOKEN may read');
    return undefined;
  }
  return { primaryKey: key.field, fields: columns.filter((field) => field !== key) };
}

function planFields(
  { report }: Move,
  fields: readonly DirectusField[],
  references: ReadonlyMap<string, Reference>,
  entities: EntityNames,
): FieldPlan[] {
  const names = new NameAllocator('field', [...RESERVED_FIELDS, ID_FIELD]);
  const plans: FieldPlan[] = [];
  for (const field of fields) {
    const name = `${field.collection}.${field.field}`;
    if (plans.length === MAX_FIELDS - 1) {
      report.leave(name, `an entity has at most ${MAX_FIELDS} fields`);
      continue;
    }
    const reference = references.get(name);
    const plan = planField(field, reference, entities, names);
    if ('problem' in plan) {
      report.leave(name, plan.problem);
      continue;
    }
    plans.push(plan);
    const stored = storedName(plan);
    if (stored !== field.field && stored !== `${field.field}_id`)
      report.change(name, `is the field ${stored}`);
    if (reference === null)
      report.change(name, 'refers to items of several collections; their ids are texts');
    else if (plan.kind === 'value' && reference !== undefined)
      report.change(name, `refers to ${reference}; their ids are texts`);
  }
  return plans;
}

/** Returns the name of a field in records. */
export function storedName({ kind, definition }: FieldPlan): string {
  return kind === 'relation' ? `${definition.name}_id` : definition.name;
}

const Stored = Type.Object({ fields: Type.Array(Type.Object({ name: Type.String() })) });

/**
 * Creates the entities, first without relations, because these may lead to any other one. Returns the collections whose
 * entities have all fields. In a dry run these are all.
 */
export async function carryEntities(
  move: Move,
  plans: readonly CollectionPlan[],
): Promise<readonly CollectionPlan[]> {
  const created: CollectionPlan[] = [];
  for (const plan of plans) {
    const key = `entity:${plan.collection}`;
    const id = await carry(
      move,
      { kind: 'entities', key, name: `collection ${plan.collection}` },
      async () => {
        const fields = plan.fields
          .filter(({ kind }) => kind !== 'relation')
          .map(({ definition }) => definition);
        const idField = { name: ID_FIELD, type: 'string', unique: true, label: 'Directus ID' };
        const body = {
          name: plan.entity,
          label: plan.collection.slice(0, 200),
          fields: [idField, ...fields],
        };
        await move.target.create('/api/entities', body);
        return plan.entity;
      },
    );
    if (id !== null || !move.isApplied) created.push({ ...plan, entity: id ?? plan.entity });
  }
  if (!move.isApplied) return created;
  const collections = new Set(created.map(({ collection }) => collection));
  const complete: CollectionPlan[] = [];
  for (const plan of created) {
    const fields = plan.fields.filter((field) => {
      const isThere = field.kind !== 'relation' || collections.has(field.related);
      if (!isThere)
        move.report.leave(
          `${plan.collection}.${field.source}`,
          `refers to ${field.related}, which was not carried over`,
        );
      return isThere;
    });
    const whole = { ...plan, fields };
    if (await addFields(move, whole)) complete.push(whole);
  }
  return complete;
}

/** Adds the fields that an entity lacks. Returns false if the server rejects that, which is added to the report. */
async function addFields(
  { target, report }: Move,
  { collection, entity, fields }: CollectionPlan,
): Promise<boolean> {
  const path = `/api/entities/${entity}`;
  try {
    const stored = await target.send('GET', path);
    if (!Value.Check(Stored, stored)) throw new Error(`the answer to ${path} is not what Tessera answers`);
    const known = new Set(stored.fields.map(({ name }) => name));
    const missing = fields.map(({ definition }) => definition).filter(({ name }) => !known.has(name));
    if (missing.length > 0) await target.send('PUT', path, { fields: [...stored.fields, ...missing] });
    return true;
  } catch (error) {
    if (!(error instanceof RejectedCall)) throw error;
    report.leave(`collection ${collection}`, `entity ${entity}: ${error.message}`);
    return false;
  }
}

const Named = Type.Union([
  Type.Object({ collection: Type.String(), field: Type.String() }),
  Type.Object({ collection: Type.String() }),
]);

function readAll<S extends TSchema>(
  { report }: Move,
  kind: string,
  schema: S,
  items: readonly unknown[],
): Static<S>[] {
  return items.filter((item): item is Static<S> => {
    const isRead = Value.Check(schema, item);
    if (!isRead) report.leave(`${kind} ${nameOf(item)}`.trim(), 'the data has other types than Directus has');
    return isRead;
  });
}

function nameOf(item: unknown): string {
  if (!Value.Check(Named, item)) return '';
  return 'field' in item ? `${item.collection}.${item.field}` : item.collection;
}

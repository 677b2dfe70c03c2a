/** The collections of a Directus, and the entities that they become. */
import Type, { type Static, type TSchema } from 'typebox';
import Value from 'typebox/value';
import { type DirectusApi, DirectusCollection, DirectusField, DirectusRelation } from './directus-api.ts';
import { type EntityNames, planField, type Reference } from './directus-fields.ts';
import { NameAllocator, RESERVED_ENTITIES, RESERVED_FIELDS } from './entity-names.ts';
import { type EntityPlan, type FieldPlan, MAX_FIELDS, storedName } from './entity-plan.ts';
import type { Move } from './move.ts';

const ID_FIELD = { name: 'directus_id', label: 'Directus ID' };

/** How a collection is imported. */
export interface CollectionPlan extends EntityPlan {
  readonly isSingleton: boolean;
  /** Field with the ids of items in Directus. */
  readonly primaryKey: string;
}

interface Columns {
  readonly primaryKey: string;
  readonly fields: readonly DirectusField[];
}

/** Reads collections, fields and relations, and reports what has no counterpart. */
export async function readModel(move: Move, api: DirectusApi): Promise<readonly CollectionPlan[]> {
  const { report } = move;
  const collections = readAll(move, 'collection', DirectusCollection, await api.readAll('/collections'));
  const fields = readAll(move, 'field', DirectusField, await api.readAll('/fields'));
  const relations = readAll(move, 'relation', DirectusRelation, await api.readAll('/relations'));
  const references = new Map<string, Reference>(
    relations.map((each) => [`${each.collection}.${each.field}`, each.related_collection ?? null]),
  );
  const own = collections.filter(({ collection }) => !collection.startsWith('directus_'));
  if (own.length === 0) report.skip('collections', 'Directus shows none to the user of SOURCE_TOKEN');
  const names = new NameAllocator({ reserved: RESERVED_ENTITIES, fallback: 'entity', prefix: 'directus' });
  const columns = new Map<string, Columns>();
  const entities = new Map<string, string>();
  for (const { collection, schema } of own) {
    if (schema === null || schema === undefined) {
      report.skip(`folder ${collection}`, 'folders of collections have no counterpart');
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
      idField: ID_FIELD,
      isSingleton: meta?.singleton === true,
      primaryKey: found.primaryKey,
      fields: planFields(move, found.fields, references, entities),
    };
  });
}

/** Separates columns from the primary key, and reports fields that are not columns. */
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
    report.skip(
      `${collection}: ${namesOf(lists)}`,
      'lists of related items; the records on the other side refer to this one',
    );
  if (rest.length > 0) report.skip(`${collection}: ${namesOf(rest)}`, 'groups and decoration without values');
  const columns = fields.filter(isColumn);
  const key = columns.find(({ schema }) => schema?.is_primary_key === true);
  if (key === undefined) {
    report.skip(`collection ${collection}`, 'has no primary key that the user of SOURCE_TOKEN may read');
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
  const reserved = [...RESERVED_FIELDS, ID_FIELD.name];
  const names = new NameAllocator({ reserved, fallback: 'field', prefix: 'directus' });
  const plans: FieldPlan[] = [];
  for (const field of fields) {
    const name = `${field.collection}.${field.field}`;
    if (plans.length === MAX_FIELDS - 1) {
      report.skip(name, `an entity has at most ${MAX_FIELDS} fields`);
      continue;
    }
    const reference = references.get(name);
    const plan = planField(field, reference, entities, names);
    if ('problem' in plan) {
      report.skip(name, plan.problem);
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
    if (!isRead) report.skip(`${kind} ${nameOf(item)}`.trim(), 'the data has unexpected types');
    return isRead;
  });
}

function nameOf(item: unknown): string {
  if (!Value.Check(Named, item)) return '';
  return 'field' in item ? `${item.collection}.${item.field}` : item.collection;
}

/** Creation of entities for the collections of a source. */
import Type from 'typebox';
import Value from 'typebox/value';
import { importOnce, type Move } from './move.ts';
import { RejectedCall } from './target.ts';

const MAX_LABEL_CHARS = 200;

/** Maximum number of fields of an entity. */
export const MAX_FIELDS = 200;

/** A field of an entity definition. */
export interface EntityField {
  readonly name: string;
  readonly type: string;
  readonly label?: string;
  readonly unique?: boolean;
  readonly enum?: readonly string[];
  readonly relation?: { readonly entity: string; readonly kind: 'belongs_to' };
}

/** How a field of a collection is imported. */
export type FieldPlan =
  | { readonly kind: 'value' | 'file'; readonly source: string; readonly definition: EntityField }
  | RelationPlan;

/** How a reference to one record is imported. */
export interface RelationPlan {
  readonly kind: 'relation';
  readonly source: string;
  readonly definition: EntityField;
  /** Related collection. */
  readonly related: string;
}

/** Field of an entity for the id that a record has in the source. */
export interface IdField {
  readonly name: string;
  readonly label: string;
}

/** How a collection of the source is imported. */
export interface EntityPlan {
  /** Name in the source. */
  readonly collection: string;
  readonly entity: string;
  readonly idField: IdField;
  readonly fields: readonly FieldPlan[];
}

/** Returns the name of a field, with the name in the source as its label if that differs. */
export function namedField(name: string, source: string): Pick<EntityField, 'name' | 'label'> {
  return name === source ? { name } : { name, label: source.slice(0, MAX_LABEL_CHARS) };
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
export async function importEntities<Plan extends EntityPlan>(
  move: Move,
  plans: readonly Plan[],
): Promise<readonly Plan[]> {
  const created: Plan[] = [];
  for (const plan of plans) {
    const key = `entity:${plan.collection}`;
    const name = `collection ${plan.collection}`;
    const id = await importOnce(move, { kind: 'entities', key, name }, () => createEntity(move, plan));
    if (id !== null || !move.isApplied) created.push({ ...plan, entity: id ?? plan.entity });
  }
  if (!move.isApplied) return created;
  const collections = new Set(created.map(({ collection }) => collection));
  const complete: Plan[] = [];
  for (const plan of created) {
    const fields = plan.fields.filter((field) => {
      const isThere = field.kind !== 'relation' || collections.has(field.related);
      if (!isThere)
        move.report.skip(
          `${plan.collection}.${field.source}`,
          `refers to ${field.related}, which was not imported`,
        );
      return isThere;
    });
    const withFields = { ...plan, fields };
    if (await addFields(move, withFields)) complete.push(withFields);
  }
  return complete;
}

async function createEntity(
  { target }: Move,
  { collection, entity, idField, fields }: EntityPlan,
): Promise<string> {
  const own = fields.filter(({ kind }) => kind !== 'relation').map(({ definition }) => definition);
  await target.create('/api/entities', {
    name: entity,
    label: collection.slice(0, MAX_LABEL_CHARS),
    fields: [{ ...idField, type: 'string', unique: true }, ...own],
  });
  return entity;
}

/** Adds the fields that an entity lacks. Returns false if the server rejects that, which is added to the report. */
async function addFields(
  { target, report }: Move,
  { collection, entity, fields }: EntityPlan,
): Promise<boolean> {
  const path = `/api/entities/${entity}`;
  try {
    const stored = await target.send('GET', path);
    if (!Value.Check(Stored, stored)) throw new Error(`the response to ${path} is not a Tessera response`);
    const known = new Set(stored.fields.map(({ name }) => name));
    const missing = fields.map(({ definition }) => definition).filter(({ name }) => !known.has(name));
    if (missing.length > 0) await target.send('PUT', path, { fields: [...stored.fields, ...missing] });
    return true;
  } catch (error) {
    if (!(error instanceof RejectedCall)) throw error;
    report.skip(`collection ${collection}`, `entity ${entity}: ${error.message}`);
    return false;
  }
}

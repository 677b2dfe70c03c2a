/** The content types of a Strapi, and the entities that they become. */
import { NameAllocator, RESERVED_ENTITIES, RESERVED_FIELDS } from './entity-names.ts';
import {
  type EntityPlan,
  type FieldPlan,
  MAX_FIELDS,
  namedField,
  type RelationPlan,
  storedName,
} from './entity-plan.ts';
import { toChoices } from './entity-values.ts';
import type { Move } from './move.ts';
import type { StrapiAttribute, StrapiExport, StrapiSchema } from './strapi-export.ts';

const API = 'api::';
const ID_FIELD = { name: 'strapi_id', label: 'Strapi ID' };

/** A content type. */
export interface ContentPlan extends EntityPlan {
  readonly kind: 'content';
  readonly schema: StrapiSchema;
}

/** Links of a field that refers to several entries. */
export interface LinkPlan extends EntityPlan {
  readonly kind: 'links';
  readonly type: string;
  readonly attribute: string;
  readonly left: RelationPlan;
  readonly right: RelationPlan;
  /** Field for the position of a link among those of the same entry. */
  readonly position: FieldPlan;
}

/** Plan of an entity for a content type or for links. */
export type StrapiPlan = ContentPlan | LinkPlan;

const POSITION = 'position';

/** Attributes that refer to users of the admin panel, which Strapi does not export. */
const OF_ADMINS = ['createdBy', 'updatedBy'];
/** Types whose entries are imported in another way, or have no meaning outside Strapi. */
const NOT_REPORTED = ['plugin::i18n.locale'];

const TYPES: Readonly<Record<string, string>> = {
  string: 'string',
  email: 'string',
  uid: 'string',
  enumeration: 'string',
  time: 'string',
  text: 'text',
  richtext: 'text',
  integer: 'integer',
  biginteger: 'integer',
  float: 'number',
  decimal: 'number',
  boolean: 'boolean',
  date: 'date',
  datetime: 'datetime',
  timestamp: 'datetime',
  json: 'json',
  blocks: 'json',
  component: 'json',
  dynamiczone: 'json',
};

interface Model {
  readonly move: Move;
  readonly found: StrapiExport;
  /** Entities by content type. */
  readonly entities: ReadonlyMap<string, string>;
  readonly names: NameAllocator;
}

/** Plans the import of all content types of the API, and reports what has no counterpart. */
export function planModel(move: Move, found: StrapiExport): readonly StrapiPlan[] {
  const { report } = move;
  const types = found.schemas
    .values()
    .filter(({ uid }) => uid.startsWith(API))
    .toArray();
  for (const type of found.types.filter((each) => !each.startsWith(API) && !NOT_REPORTED.includes(each)))
    report.skip(
      `${found.entriesOf(type).size} entries of ${type}`,
      'only content types of the API are imported',
    );
  const names = new NameAllocator({ reserved: RESERVED_ENTITIES, fallback: 'entity', prefix: 'strapi' });
  const entities = new Map(types.map(({ uid }) => [uid, names.assign(shortName(uid))]));
  for (const [uid, entity] of entities)
    if (entity !== shortName(uid)) report.change(`content type ${shortName(uid)}`, `is the entity ${entity}`);
  const model = { move, found, entities, names };
  const contents = types.map((schema) => planContent(model, schema));
  return [...contents, ...types.flatMap((schema) => planLinks(model, schema))];
}

/** Returns a short name of a content type: `article` for `api::article.article`. */
export function shortName(uid: string): string {
  const [api = '', name = ''] = uid.replace(/^\w+::/, '').split('.');
  return api === name ? name : `${api}.${name}`;
}

function planContent(model: Model, schema: StrapiSchema): ContentPlan {
  const { report } = model.move;
  const collection = shortName(schema.uid);
  const names = fieldNames();
  const fields: FieldPlan[] = [];
  const lists: string[] = [];
  for (const [attribute, definition] of Object.entries(schema.attributes)) {
    const name = `${collection}.${attribute}`;
    if (OF_ADMINS.includes(attribute) || isToMany(model, definition)) continue;
    if (isInverse(definition)) {
      lists.push(attribute);
      continue;
    }
    if (fields.length === MAX_FIELDS - 1) {
      report.skip(name, `an entity has at most ${MAX_FIELDS} fields`);
      continue;
    }
    const field = planField(model, names, attribute, definition);
    if ('problem' in field) {
      report.skip(name, field.problem);
      continue;
    }
    fields.push(field);
    const stored = storedName(field);
    if (stored !== attribute && stored !== `${attribute}_id`) report.change(name, `is the field ${stored}`);
    const change = changeOf(model, definition);
    if (change !== null) report.change(name, change);
  }
  if (lists.length > 0)
    report.skip(
      `${collection}: ${lists.join(', ')}`,
      'lists of related entries; the records on the other side refer to this one',
    );
  const entity = model.entities.get(schema.uid) ?? collection;
  return { kind: 'content', collection, entity, idField: ID_FIELD, fields, schema };
}

function fieldNames(): NameAllocator {
  const reserved = [...RESERVED_FIELDS, ID_FIELD.name];
  return new NameAllocator({ reserved, fallback: 'field', prefix: 'strapi' });
}

function planField(
  { entities }: Model,
  names: NameAllocator,
  source: string,
  attribute: StrapiAttribute,
): FieldPlan | { readonly problem: string } {
  const { type, target = '' } = attribute;
  const named = () => namedField(names.assign(source), source);
  const entity = entities.get(target);
  if (type === 'relation' && attribute.relation?.startsWith('morph'))
    return { problem: 'refers to entries of several types' };
  if (type === 'relation' && entity !== undefined) return planRelation(names, source, target, entity);
  if (type === 'relation')
    return {
      kind: 'value',
      source,
      definition: { ...named(), type: isList(attribute) ? 'json' : 'string' },
    };
  if (type === 'media')
    return attribute.multiple === true
      ? { kind: 'value', source, definition: { ...named(), type: 'json' } }
      : { kind: 'file', source, definition: { ...named(), type: 'string' } };
  const choices = type === 'enumeration' ? toChoices((attribute.enum ?? []).map(String)) : undefined;
  if (choices !== undefined)
    return { kind: 'value', source, definition: { ...named(), type: 'enum', enum: choices } };
  if (type === 'password') return { problem: 'passwords are not imported' };
  const own = TYPES[type];
  if (own === undefined) return { problem: `fields of the type ${type} are not supported` };
  return { kind: 'value', source, definition: { ...named(), type: own } };
}

function planRelation(names: NameAllocator, source: string, target: string, entity: string): RelationPlan {
  const relation = { entity, kind: 'belongs_to' } as const;
  const definition = {
    ...namedField(names.assignRelation(source), source),
    type: 'relation',
    relation,
  };
  return { kind: 'relation', source, definition, related: shortName(target) };
}

/** Describes how the values of a field differ from those in Strapi; null if they do not. */
function changeOf({ entities }: Model, { type, target = '' }: StrapiAttribute): string | null {
  if (type === 'relation' && !entities.has(target)) return `refers to ${target}; their ids are texts`;
  if (type === 'component' || type === 'dynamiczone') return 'has components, which are JSON';
  return null;
}

/** True if the attribute refers to several entries. */
export function isList({ relation = '' }: StrapiAttribute): boolean {
  return relation.endsWith('ToMany');
}

function isInverse({ type, mappedBy, relation }: StrapiAttribute): boolean {
  return type === 'relation' && (typeof mappedBy === 'string' || /^morph(?:One|Many)$/.test(relation ?? ''));
}

/** True if the attribute has links to several entries that are imported, which become an entity of their own. */
function isToMany({ entities }: Model, attribute: StrapiAttribute): boolean {
  const isOwner = attribute.type === 'relation' && !isInverse(attribute);
  return isOwner && isList(attribute) && entities.has(attribute.target ?? '');
}

function planLinks(model: Model, { uid, attributes }: StrapiSchema): LinkPlan[] {
  const { entities, found, move } = model;
  return Object.entries(attributes).flatMap(([attribute, definition]) => {
    const { target = '' } = definition;
    const [own, related] = [entities.get(uid), entities.get(target)];
    if (own === undefined || related === undefined || !isToMany(model, definition)) return [];
    // Translations of Strapi 5 have the document's id in common instead.
    if (attribute === 'localizations' && !found.hasLinks(uid, attribute)) return [];
    const collection = `${shortName(uid)}.${attribute}`;
    const entity = model.names.assign(`${own}_${attribute}`);
    move.report.change(collection, `is the entity ${entity}`);
    const names = fieldNames();
    const left = planRelation(names, own, uid, own);
    const right = planRelation(names, own === related ? `related_${related}` : related, target, related);
    const position: FieldPlan = {
      kind: 'value',
      source: POSITION,
      definition: { name: names.assign(POSITION), type: 'integer' },
    };
    return [
      {
        kind: 'links',
        collection,
        entity,
        idField: ID_FIELD,
        fields: [left, right, position],
        type: uid,
        attribute,
        left,
        right,
        position,
      },
    ];
  });
}

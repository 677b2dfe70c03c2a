/** Bodies of writes: their schemas, and the columns of a checked body. */
import Type, { type Static, type TObject, type TSchema } from 'typebox';
import { Clean } from 'typebox/value';
import { cloneWritten } from '../db/written-json.ts';
import { nullable } from '../http/schemas.ts';
import { wasSent } from '../http/sent-members.ts';
import { type FieldGroup, fold, groupFields, groupTitle, valueAt } from './field-groups.ts';
import { type Constant, columnOf, type Field, type Fields } from './fields.ts';
import { withMore } from './view.ts';

/** Values by column in JavaScript form: JSON columns as objects, times as text or dates. */
export type Columns = Readonly<Record<string, unknown>>;

/** The kind of write that a body is for. */
type BodyKind = 'create' | 'replace';

/** The owner, which every create and replace of a unit's record may contain in addition to the record's own fields. */
export const ownerOption = {
  business_unit: Type.Optional(
    Type.Unsafe<string | null>({
      title: 'OwningUnit',
      type: ['string', 'null'],
      description: 'Id, slug or name of the owning unit; cannot change once set. Null means absent.',
    }),
  ),
};

/** The type of `ownerOption`. */
export type OwnerOption = Static<TObject<typeof ownerOption>>;

/** The version, which every replace of a versioned record may contain. */
export const versionOption = {
  version: Type.Optional(
    Type.Integer({
      title: 'LastReadVersion',
      description: 'Version last read; an outdated one is rejected.',
    }),
  ),
};

/** The type of `versionOption`. */
export type VersionOption = Static<TObject<typeof versionOption>>;

/** The schema of a body with the resource's own fields and `more`. */
export function bodySchema(
  fields: Fields,
  kind: BodyKind,
  more: Readonly<Record<string, TSchema>>,
  title?: string,
): TObject {
  const group: FieldGroup = groupFields(fields, (field) => isWritten(field, kind));
  const own = fold<TSchema>(
    group,
    ({ field }) => inputSchema(field, kind),
    (members, group) => Type.Object(Object.fromEntries(members), groupTitle(title, group, 'Input')),
  );
  return withMore(own, more);
}

/**
 * Returns the columns that a checked body sets. It leaves out columns that the resource's rules compute from other
 * input (`input`) and, on a replace, absent fields with `keeps`.
 */
export function columnsOf(fields: Fields, kind: BodyKind, body: unknown): Columns {
  const columns: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(fields)) {
    if (field.kind === 'constant' || field.input || !isWritten(field, kind)) continue;
    if (kind === 'replace' && !wasSent(body, memberOf(name, field))) continue;
    const value = valueAt(body, { name, field });
    if (value === undefined && kind === 'replace' && field.keeps) continue;
    columns[columnOf(name, field)] = declared(field, value) ?? field.default ?? null;
  }
  return columns;
}

/** The body members whose fields keep their value if a replace leaves them out. */
export function keptMembersOf(fields: Fields): string[] {
  return Object.entries(fields).flatMap(([name, field]) =>
    field.kind !== 'constant' && field.keeps ? [memberOf(name, field)] : [],
  );
}

/** The body members whose fields can be set only once. */
export function onceMembersOf(fields: Fields): string[] {
  return Object.entries(fields).flatMap(([name, field]) =>
    field.kind !== 'constant' && field.writes === 'once' ? [memberOf(name, field)] : [],
  );
}

/** The body member that contains a field. */
function memberOf(name: string, { at = name }: Field): string {
  return at.split('.', 1)[0] ?? at;
}

/** Removes members that the schema does not name, if the field is declared. */
function declared(field: Field, value: unknown): unknown {
  return field.declared ? Clean(field.schema, cloneWritten(value)) : value;
}

/** Returns the values of once-only fields in a replace, by column: a replace may repeat but not change these values. */
export function setOnceOf(fields: Fields, body: unknown): Columns {
  const columns: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(fields)) {
    if (field.kind === 'constant' || field.writes !== 'once') continue;
    const value = valueAt(body, { name, field });
    if (value !== undefined) columns[columnOf(name, field)] = value;
  }
  return columns;
}

function isWritten(field: Field | Constant, kind: BodyKind): boolean {
  if (field.kind === 'constant') return kind === 'create';
  return field.writes === undefined || (field.writes === 'once' && kind === 'create');
}

function inputSchema(field: Field | Constant, kind: BodyKind): TSchema {
  if (field.kind === 'constant') return Type.Literal(field.value);
  const schema = field.input ?? field.schema;
  const value = field.nullable ? nullable(schema) : schema;
  const isOptional =
    field.nullable || field.default !== undefined || (field.keeps && kind === 'replace') === true;
  return isOptional ? Type.Optional(value) : value;
}

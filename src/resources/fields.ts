/**
 * The vocabulary for describing a resource. A field states once its type, storage, path in bodies and responses,
 * writer, and use in lists; types, schemas, SQL and routes follow from that. A description is a plain value, so it can
 * be built at run time.
 */
import type { Expression, RawBuilder } from 'kysely';
import Type, { type Static, type TSchema } from 'typebox';

/**
 * The kinds of column, with their PostgreSQL type and their type in filters. JSON keeps its text, including key order.
 */
export const COLUMN_KINDS = {
  text: { type: 'text', filter: 'text' },
  uuid: { type: 'uuid', filter: 'id' },
  integer: { type: 'int', filter: 'number' },
  number: { type: 'double precision', filter: 'number' },
  boolean: { type: 'boolean', filter: 'boolean' },
  time: { type: 'timestamptz', filter: 'time' },
  json: { type: 'json', filter: 'json' },
  bytes: { type: 'bytea', filter: 'text' },
} as const;

/** The kind of a field's column. */
export type ColumnKind = keyof typeof COLUMN_KINDS;

/** Conversion of a column's value for responses and history, in JavaScript and in SQL. */
export interface ValueConversion {
  readonly schema: TSchema;
  of(stored: unknown): unknown;
  readonly sql: (column: RawBuilder<unknown>) => Expression<unknown>;
}

/** Properties of a field in addition to its kind and schema. */
export interface FieldFacts {
  /** Counts the writes of the record; the platform increments it. */
  readonly counts?: true;
  /** The column, if its name differs from the field's. */
  readonly column?: string;
  /** The path in bodies and responses, if it is not the field's name at the top level: `target.url`. */
  readonly at?: string;
  /** Omitted from responses and history. */
  readonly hidden?: true;
  readonly nullable?: true;
  /** Its writer: only the platform, or the caller only on create (`once`). Default: the caller. */
  readonly writes?: 'once' | 'platform';
  /** The value if a body leaves the field out; a nullable field is null then. */
  readonly default?: unknown;
  /** A replace without the field keeps the stored value. */
  readonly keeps?: true;
  /** Schema in bodies if it differs from the stored value: the resource's rules convert one to the other. */
  readonly input?: TSchema;
  /** Value in responses when the column is null. */
  readonly whenNull?: unknown;
  /** Omitted from responses and history while it is null; in history it follows the others. */
  readonly omitsNull?: true;
  readonly shown?: ValueConversion;
  /**
   * Computed by SQL, not stored: from the row of this table or alias, and from other rows as they were before the
   * statement that reads or writes the record. The computation may or may not see rows that the same statement writes
   * (on a cluster it does). Where that matters, the record is read again.
   */
  readonly computed?: (table: string) => Expression<unknown>;
  /** JSON with only the members of its schema, which also describes and serializes it in responses. */
  readonly declared?: true;
  /** Omitted from lists. */
  readonly listed?: false;
  /** Lists can be filtered by it. */
  readonly filter?: true;
  /** `search` looks in it. */
  readonly search?: true;
}

/** A stored field. `types` exists only for inference. */
export interface Field<V = unknown, F extends FieldFacts = FieldFacts, K extends ColumnKind = ColumnKind>
  extends FieldFacts {
  readonly kind: K;
  readonly schema: TSchema;
  readonly types?: { readonly value: V; readonly facts: F };
}

/** A field without a column: the same value in every record. */
export interface Constant<V extends string = string, F extends FieldFacts = FieldFacts> {
  readonly kind: 'constant';
  readonly value: V;
  readonly at?: string;
  readonly types?: { readonly value: V; readonly facts: F };
}

/** The fields of a resource, in the order in which responses show them. */
export type Fields = Readonly<Record<string, Field | Constant>>;

function ofKind<K extends ColumnKind>(kind: K) {
  return <S extends TSchema, const F extends FieldFacts>(schema: S, facts: F): Field<Static<S>, F, K> => ({
    ...facts,
    kind,
    schema,
  });
}

/** Defines a text field; like all of these, `schema` describes a non-null value. */
export const text = ofKind('text');
/** Defines a UUID field. */
export const uuid = ofKind('uuid');
/** Defines an integer field. */
export const integer = ofKind('integer');
/** Defines a number field. */
export const number = ofKind('number');
/** Defines a boolean field. */
export const boolean = ofKind('boolean');
/** Defines a time field. */
export const time = ofKind('time');
/** JSON that is stored and shown as it was written. */
export const json = ofKind('json');
/** Bytes, which no response shows. */
export const bytes = ofKind('bytes')(Type.Unsafe<Buffer>({}), {
  writes: 'platform',
  hidden: true,
  listed: false,
});

/** A field with the same value in every record of the kind. */
export function constant<const V extends string, const F extends Pick<FieldFacts, 'at'>>(
  value: V,
  facts: F,
): Constant<V, F & { readonly writes: 'once' }> {
  return { ...facts, kind: 'constant', value };
}

/** The id that the platform generates for a record. */
export const id = uuid(Type.String({ format: 'uuid' }), { writes: 'platform' });
/** The short code that the platform generates for a record. */
export const shortCode = text(Type.String(), { writes: 'platform' });
/** The unit that owns a record, as responses show it. */
export const owner = uuid(Type.String({ format: 'uuid' }), {
  column: 'owner_bu_id',
  writes: 'platform',
  filter: true,
});
/** Counts the writes of a record from 1. */
export const version = integer(Type.Integer(), { writes: 'platform', counts: true });
/** A time that the platform writes. */
export const moment = time(Type.String({ format: 'date-time' }), { writes: 'platform' });

/** Fields that every record of a business unit has. */
export const recordFields = {
  business_unit: owner,
  version,
  created_at: time(Type.String({ format: 'date-time' }), { writes: 'platform', filter: true }),
  updated_at: moment,
} as const;

/** A field that responses do not show. */
export function hidden<V, F extends FieldFacts, K extends ColumnKind>(
  field: Field<V, F, K>,
): Field<V, F & { readonly hidden: true }, K> {
  const { types: _types, ...facts } = field;
  return { ...facts, hidden: true };
}

/** The column of a field. */
export function columnOf(name: string, field: Field): string {
  return field.column ?? name;
}

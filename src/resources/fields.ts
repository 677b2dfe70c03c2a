/**
 * The vocabulary in which a resource says its fields. A field says once what it holds, how it is stored, where it
 * stands in bodies and answers, who writes it, and whether lists show, filter and search it; types, schemas, SQL and
 * routes follow from that. A description is a plain value, so that one may be made at run time.
 */
import type { Expression, RawBuilder } from 'kysely';
import Type, { type Static, type TSchema } from 'typebox';

/** The kinds of column: their type in PostgreSQL, and what filters take them for. JSON keeps its text, key order included. */
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

/** How a field is stored. */
export type ColumnKind = keyof typeof COLUMN_KINDS;

/** What answers and history show instead of what a column holds: the same, in JavaScript and in SQL. */
export interface Shown {
  readonly schema: TSchema;
  of(stored: unknown): unknown;
  readonly sql: (column: RawBuilder<unknown>) => Expression<unknown>;
}

/** What a field says beside its kind and schema. */
export interface FieldFacts {
  /** Counts the writes of the record: the platform raises it with each. */
  readonly counts?: true;
  /** The column, when it is not called as the field is. */
  readonly column?: string;
  /** The place in bodies and answers, when it is not the field's name at the top: `target.url`. */
  readonly at?: string;
  /** In no answer and not in history. */
  readonly hidden?: true;
  readonly nullable?: true;
  /** Who writes it: the platform alone, or the caller on create alone (`once`). Default: the caller. */
  readonly writes?: 'once' | 'platform';
  /** What a body that leaves the field out means; a nullable field is null then. */
  readonly default?: unknown;
  /** A replace that leaves the field out keeps what is stored. */
  readonly keeps?: true;
  /** What bodies have, when it is something else than what is stored: the resource's rules make one of the other. */
  readonly input?: TSchema;
  /** What answers show where the column is null. */
  readonly whenNull?: unknown;
  /** Answers and history leave it out while it is null; in history it stands behind the others. */
  readonly omitsNull?: true;
  readonly shown?: Shown;
  /**
   * Made by SQL, not stored: of the row of this table or alias, and of whatever other rows say before the statement
   * that reads or writes the record. Of rows which that statement writes it may say either: on a cluster they are there
   * already. Where that matters, the record is read again.
   */
  readonly computed?: (table: string) => Expression<unknown>;
  /** JSON that has nothing but what its schema names, so that answers are described and made by it. */
  readonly declared?: true;
  /** Answers of lists leave it out. */
  readonly listed?: false;
  /** Lists can be filtered by it. */
  readonly filter?: true;
  /** The words of `search` are looked for in it. */
  readonly search?: true;
}

/** A stored field. `types` exists for inference only. */
export interface Field<V = unknown, F extends FieldFacts = FieldFacts, K extends ColumnKind = ColumnKind>
  extends FieldFacts {
  readonly kind: K;
  readonly schema: TSchema;
  readonly types?: { readonly value: V; readonly facts: F };
}

/** A field without a column: the same in every record. */
export interface Constant<V extends string = string, F extends FieldFacts = FieldFacts> {
  readonly kind: 'constant';
  readonly value: V;
  readonly at?: string;
  readonly types?: { readonly value: V; readonly facts: F };
}

/** The fields of a resource, in the order in which answers show them. */
export type Fields = Readonly<Record<string, Field | Constant>>;

function ofKind<K extends ColumnKind>(kind: K) {
  return <S extends TSchema, const F extends FieldFacts>(schema: S, facts: F): Field<Static<S>, F, K> => ({
    ...facts,
    kind,
    schema,
  });
}

/** Fields by kind; `schema` is that of a value that is not null. */
export const text = ofKind('text');
export const uuid = ofKind('uuid');
export const integer = ofKind('integer');
export const number = ofKind('number');
export const boolean = ofKind('boolean');
export const time = ofKind('time');
/** JSON that is kept and shown as it was written. */
export const json = ofKind('json');
/** Bytes, which no answer shows. */
export const bytes = ofKind('bytes')(Type.Unsafe<Buffer>({}), {
  writes: 'platform',
  hidden: true,
  listed: false,
});

/** A field that is the same in every record of the kind. */
export function constant<const V extends string, const F extends Pick<FieldFacts, 'at'>>(
  value: V,
  facts: F,
): Constant<V, F & { readonly writes: 'once' }> {
  return { ...facts, kind: 'constant', value };
}

/** The id that the platform makes for a record. */
export const id = uuid(Type.String({ format: 'uuid' }), { writes: 'platform' });
/** The short code that the platform makes for a record. */
export const shortCode = text(Type.String(), { writes: 'platform' });
/** The unit that owns a record, as answers show it. */
export const owner = uuid(Type.String({ format: 'uuid' }), {
  column: 'owner_bu_id',
  writes: 'platform',
  filter: true,
});
/** Counts the writes of a record from 1. */
export const version = integer(Type.Integer(), { writes: 'platform', counts: true });
/** When the platform wrote something. */
export const moment = time(Type.String({ format: 'date-time' }), { writes: 'platform' });

/** What every record of a business unit has beside its own fields. */
export const recordFields = {
  business_unit: owner,
  version,
  created_at: time(Type.String({ format: 'date-time' }), { writes: 'platform', filter: true }),
  updated_at: moment,
} as const;

/** The same, kept from answers. */
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

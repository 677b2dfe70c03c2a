/** Types derived from a resource's fields: its row, table, response and bodies. */
import type { ColumnType } from 'kysely';
import type { Static, TSchema } from 'typebox';
import type { Time } from '../db/tables.ts';
import type { Constant, Field, FieldFacts, Fields } from './fields.ts';

/** A column of type `json`: text when written, so that key order is kept; the parsed value when read. */
export type JsonColumn<T> = ColumnType<T, string, string>;

type FactsOf<T> = T extends Field<infer _V, infer F> | Constant<infer _W, infer F> ? F : never;
type SchemaValue<T> = T extends Field<infer V> ? V : T extends Constant<infer V> ? V : never;
type NullOf<T> = FactsOf<T> extends { readonly nullable: true } ? null : never;
type Stored<T> = SchemaValue<T> | NullOf<T>;

type ColumnName<N, T> = T extends Constant
  ? never
  : FactsOf<T> extends { readonly column: infer C extends string }
    ? C
    : N & string;

/** A record as it is stored. */
export type RowOf<F extends Fields> = { tenant_id: string } & {
  [N in keyof F as ColumnName<N, F[N]>]: Stored<F[N]>;
};

type TableColumn<T> =
  T extends Field<unknown, FieldFacts, infer K>
    ? K extends 'json'
      ? JsonColumn<SchemaValue<T>> | NullOf<T>
      : K extends 'time'
        ? Time | NullOf<T>
        : Stored<T>
    : never;

/** The table of a resource, for `Tables`. */
export type TableOf<F extends Fields> = { tenant_id: string } & {
  [N in keyof F as FactsOf<F[N]> extends { readonly computed: unknown }
    ? never
    : ColumnName<N, F[N]>]: TableColumn<F[N]>;
};

type Path<N, T> = FactsOf<T> extends { readonly at: infer P extends string } ? P : N & string;

/** An object with one value at a path such as `target.url`. */
type At<P extends string, V, IsOptional> = P extends `${infer Head}.${infer Rest}`
  ? { [K in Head]: At<Rest, V, IsOptional> }
  : IsOptional extends true
    ? { [K in P]?: V }
    : { [K in P]: V };

/** The intersection of the members of a union. */
type Merged<U> = (U extends unknown ? (member: U) => void : never) extends (member: infer I) => void
  ? I
  : never;

type ShownValue<T> =
  FactsOf<T> extends { readonly shown: { readonly schema: infer S extends TSchema } }
    ? Static<S>
    : FactsOf<T> extends { readonly whenNull: unknown } | { readonly omitsNull: true }
      ? SchemaValue<T>
      : Stored<T>;

type Values<T> = T[keyof T];
type Has<T, Fact> = FactsOf<T> extends Fact ? true : false;

/** A record in responses. */
export type ViewOf<F extends Fields> = Merged<
  Values<{
    [N in keyof F as Has<F[N], { readonly hidden: true }> extends true ? never : N]: At<
      Path<N, F[N]>,
      ShownValue<F[N]>,
      Has<F[N], { readonly omitsNull: true }>
    >;
  }>
>;

type InputValue<T> = FactsOf<T> extends { readonly input: infer S extends TSchema } ? Static<S> : Stored<T>;

type MayBeLeftOut = { readonly nullable: true } | { readonly keeps: true } | { readonly default: unknown };

type BodyOf<F extends Fields, Unwritten> = Merged<
  Values<{
    [N in keyof F as Has<F[N], { readonly writes: Unwritten }> extends true ? never : N]: At<
      Path<N, F[N]>,
      InputValue<F[N]>,
      Has<F[N], MayBeLeftOut>
    >;
  }>
>;

/** The checked body of a create. */
export type CreateOf<F extends Fields> = BodyOf<F, 'platform'>;

/** The checked body of a replace. */
export type ReplaceOf<F extends Fields> = BodyOf<F, 'platform' | 'once'>;

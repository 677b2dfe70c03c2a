/** How records get into a statement: as one JSON value, whatever their number. */
import { sql } from 'kysely';
import type { Columns } from './body.ts';
import type { AnyQuery } from './compiled.ts';
import { COLUMN_TYPES } from './fields.ts';
import type { Resource } from './resource.ts';

/** Values by column, for each purpose that they are sent for. */
export type Parts = Readonly<Record<string, Columns>>;

/**
 * Records on their way into a statement: one JSON value, so that the statement is the same for every number of them.
 * A column is named by its purpose and its place: `k0` is the first of the key, `v1` the second to be written.
 */
export class Input {
  readonly #resource: Resource;
  readonly #isOne: boolean;
  /** The columns of each purpose. */
  readonly parts: Readonly<Record<string, readonly string[]>>;

  constructor(resource: Resource, count: number, parts: Readonly<Record<string, readonly string[]>>) {
    this.#resource = resource;
    this.#isOne = count === 1;
    this.parts = parts;
  }

  /** Tells statements on different columns apart. */
  get shape(): string {
    return JSON.stringify([this.#isOne, this.parts]);
  }

  /** The names of a part's columns here and in the table. */
  columns(part: string): { readonly name: string; readonly column: string }[] {
    return (this.parts[part] ?? []).map((column, place) => ({ name: `${part}${place}`, column }));
  }

  /** The records as the one value of the statement. */
  pack(records: readonly Parts[]): string {
    const rows = records.map((record) =>
      Object.fromEntries(
        Object.keys(this.parts).flatMap((part) =>
          this.columns(part).map(({ name, column }) => [name, record[part]?.[column] ?? null]),
        ),
      ),
    );
    return JSON.stringify(this.#isOne ? rows[0] : rows);
  }

  /** Of one record PostgreSQL knows that it is one, and looks its key up by the index. */
  rows(query: AnyQuery, json: unknown) {
    const columns = Object.keys(this.parts).flatMap((part) =>
      this.columns(part).map(
        ({ name, column }) => sql`${sql.id(name)} ${sql.raw(this.#typeOf(part, column))}`,
      ),
    );
    return query
      .selectFrom((eb) =>
        eb
          .fn<Columns>(this.#isOne ? 'json_to_record' : 'json_to_recordset', [sql`${json}::json`])
          .as<'given'>(sql`given(${sql.join(columns)})`),
      )
      .selectAll();
  }

  /** What is expected is compared as text: a unit may be named by something that is no id. */
  #typeOf(part: string, column: string): string {
    if (part === 'e') return 'text';
    return COLUMN_TYPES[this.#resource.kinds.get(column) ?? 'text'];
  }
}

/**
 * How much an item's vector is like a query's, as SQL: the product of the two, which have length 1. By the extension pgvector where
 * the database has it, else by plain arithmetic: the same but for rounding (docs/decisions/0037-vectors.md).
 */
import { type RawBuilder, sql } from 'kysely';
import { oncePerPlatform } from '../../../platform.ts';

/** Terms of one group of a sum: as one sum, a long vector would nest deeper than the embedded database can follow. */
const GROUP = 64;

/** Makes the score of a query's vector. */
export type Scoring = (vector: readonly number[]) => RawBuilder<number>;

/** The quicker way that the database knows. */
export const scoringOf = oncePerPlatform(async ({ database }): Promise<Scoring> => {
  const { rows } = await database.lookUp(
    'catalogue',
    sql<{ known: boolean }>`select exists (select from pg_extension where extname = 'vector') as known`,
  );
  return rows[0]?.known ? byExtension : byArithmetic;
});

/** The extension's inner product, which it gives negated; a list of numbers becomes its type at next to no cost. */
export const byExtension: Scoring = (vector) => {
  const type = sql.raw(`vector(${vector.length})`);
  return sql<number>`-((embedding::${type}) <#> ${`[${vector.join(',')}]`}::${type})`;
};

/** A sum of products. The numbers stand in the statement: as a list of a parameter they would be looked up for each row. */
export const byArithmetic: Scoring = (vector) => {
  const terms = vector.map((value, index) => `embedding[${index + 1}]*(${Number(value)})::real`);
  const groups: string[] = [];
  for (let from = 0; from < terms.length; from += GROUP)
    groups.push(`(${terms.slice(from, from + GROUP).join('+')})`);
  return sql<number>`(${sql.raw(groups.join('+') || '0')})::double precision`;
};

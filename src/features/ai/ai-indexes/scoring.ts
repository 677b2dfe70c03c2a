/**
 * Similarity of an item's vector and a query's, as SQL: the product of two vectors of length 1. It uses the extension
 * pgvector if the database has it, otherwise plain arithmetic. Both agree except for rounding
 * (docs/decisions/0037-vector-search.md).
 */
import { type RawBuilder, sql } from 'kysely';
import { oncePerPlatform } from '../../../platform.ts';

/** Terms per group of a sum. One flat sum of a long vector would nest too deeply for the embedded database. */
const GROUP = 64;

/** Returns the score expression for a query's vector. */
export type Scoring = (vector: readonly number[]) => RawBuilder<number>;

/** Returns the faster scoring that the database supports. */
export const scoringOf = oncePerPlatform(async ({ database }): Promise<Scoring> => {
  const { rows } = await database.lookUp(
    'catalogue',
    sql<{ exists: boolean }>`select exists (select from pg_extension where extname = 'vector')`,
  );
  return rows[0]?.exists ? byExtension : byArithmetic;
});

/**
 * pgvector's operator `<#>` is the negative inner product. Converting a list of numbers to a vector costs almost
 * nothing.
 */
export const byExtension: Scoring = (vector) => {
  const type = sql.raw(`vector(${vector.length})`);
  return sql<number>`-((embedding::${type}) <#> ${`[${vector.join(',')}]`}::${type})`;
};

/** A sum of products. Numbers are literals, because elements of a list parameter would be looked up for each row. */
export const byArithmetic: Scoring = (vector) => {
  const terms = vector.map((value, index) => `embedding[${index + 1}]*(${Number(value)})::real`);
  const groups: string[] = [];
  for (let from = 0; from < terms.length; from += GROUP)
    groups.push(`(${terms.slice(from, from + GROUP).join('+')})`);
  return sql<number>`(${sql.raw(groups.join('+') || '0')})::double precision`;
};

/** Ranking by words: BM25 over the stems of items. It never reads their texts. */
import { type RawBuilder, sql } from 'kysely';
import type { ScopedDb } from '../../../../tenancy/scoped-db.ts';
import type { WordCounts } from './stems.ts';

/** Saturation of repeated words and penalty of long texts: the usual values of BM25. */
const SATURATION = 1.2;
const LENGTH_WEIGHT = 0.75;
/** Items whose words are counted exactly: the best ones when each word counts once. */
const CANDIDATES = 100;
/** PostgreSQL stores at most this many positions of a word. */
const MAX_COUNT = 255;

/** An item found by words. */
export interface WordHit {
  readonly id: string;
  readonly score: number;
}

/** Returns the stems of a text as a tsvector with one position per occurrence. */
export function toTsvector({ counts }: WordCounts): string {
  const lexemes = [...counts].map(([stem, count]) => {
    const positions = Array.from({ length: Math.min(count, MAX_COUNT) }, (_each, place) => place + 1);
    return `${quoted(stem)}:${positions.join(',')}`;
  });
  return lexemes.join(' ');
}

/**
 * Returns items with words of a question, best first. `from` returns a FROM and a WHERE clause with the alias `i`. One
 * scan finds which items have which words. `terms || ''` copies a TOASTed value, so that it is read once per item.
 */
export async function rankByWords(
  db: ScopedDb,
  from: (tenantId: string) => RawBuilder<unknown>,
  words: readonly (readonly string[])[],
): Promise<WordHit[]> {
  if (words.length === 0) return [];
  const perWord = <T>(build: (place: RawBuilder<number>, wordStems: readonly string[]) => T) =>
    words.map((wordStems, place) => build(sql.lit(place + 1), wordStems));
  const stems = words.flatMap((wordStems, place) => wordStems.map((stem) => ({ stem, place: place + 1 })));
  const norm = sql`${SATURATION}::float8 * (1 - ${LENGTH_WEIGHT}::float8 + ${LENGTH_WEIGHT}::float8 * s.word_count::float8 / w.length)`;
  const { rows } = await db.raw(
    (tenantId) => sql<WordHit>`
      with seen as materialized (
        select c.id, c.word_count, array[${sql.join(perWord((_place, wordStems) => sql`c.terms @@ ${anyOf(wordStems)}::tsquery`))}] as has
        from (
          select i.id, i.word_count, i.terms || ''::tsvector as terms ${from(tenantId)} and i.terms is not null offset 0) c
      ), counted as materialized (
        select count(*) as items, greatest(avg(word_count), 1)::float8 as length,
          array[${sql.join(perWord((place) => sql`count(*) filter (where has[${place}])`))}] as found
        from seen
      ), weighted as materialized (
        select length, array(
          select ln(1 + (items - n + 0.5) / (n + 0.5))::float8 from unnest(found) with ordinality as f (n, place) order by place
        ) as weights
        from counted
      ), best as (
        select s.id, w.weights, ${norm} as norm
        from seen s cross join weighted w where true = any(s.has)
        order by (${sql.join(
          perWord((place) => sql`case when s.has[${place}] then w.weights[${place}] else 0 end`),
          sql` + `,
        )})
          / (1 + ${norm}) desc, s.id
        limit ${CANDIDATES}::int
      )
      select b.id, t.score from best b
      join (select i.id, i.terms ${from(tenantId)} and i.id = any(array(select id from best)) offset 0) i on i.id = b.id
      cross join lateral (
        select sum(b.weights[o.place] * o.occurs * ${SATURATION + 1}::float8 / (o.occurs + b.norm)) as score from (
          select q.place, sum(cardinality(u.positions)) as occurs from unnest(i.terms) u
          join json_to_recordset(${JSON.stringify(stems)}::json) as q (stem text, place int) on q.stem = u.lexeme
          group by q.place) o) t
      order by t.score desc, b.id`,
  );
  return rows;
}

function anyOf(stems: readonly string[]): string {
  return stems.map(quoted).join(' | ');
}

/** Quotes a lexeme. Stems only have letters, marks and digits. */
function quoted(stem: string): string {
  return `'${stem.replace(/['\\]/g, '')}'`;
}

import { type RawBuilder, sql } from 'kysely';

/** Maximum length of a title, in characters: free-form records may have a name of any length. */
const MAX_TITLE = 200;

/** SQL for the title of a history entry: the name, label, address or similar member, otherwise the key. */
export function titleOf(entry: string): RawBuilder<string> {
  const [data, key] = [sql.ref(`${entry}.data`), sql.ref(`${entry}.sort_key`)];
  return sql<string>`left(coalesce(nullif(${data} ->> 'name', ''), nullif(${data} ->> 'label', ''),
    ${data} ->> 'source_url_path', nullif(${data} ->> 'email', ''), ${key}), ${MAX_TITLE}::int)`;
}

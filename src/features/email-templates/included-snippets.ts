import { sql } from 'kysely';
import { AppError } from '../../errors/app-error.ts';
import type { MemberContext } from '../../http/context.ts';
import type { ScopedDb } from '../../tenancy/scoped-db.ts';
import { TEMPLATE_RENDER_ERROR } from './errors.ts';
import { findSnippetNames } from './rendering/render-source.ts';
import type { TemplateRow } from './resource.ts';

/** Snippets may include snippets this deep; one level more is read, so that the renderer can tell what is too deep. */
const LEVELS = 6;
/** Of all snippets together: as much as a message may be long. */
const MAX_CHARS = 10 * 1024 * 1024;

/**
 * The snippets that a stored template includes, as `loadSnippets`. A shared template brings those of its own unit,
 * whoever sends it. Opens a scope of its own: not inside a transaction.
 */
export function loadSnippetsOf(
  { platform, db }: Pick<MemberContext, 'platform' | 'db'>,
  { shared, owner_bu_id }: Pick<TemplateRow, 'shared' | 'owner_bu_id'>,
  names: readonly string[],
): Promise<Record<string, string>> {
  const { scope } = db;
  if (!shared || scope.read === 'all' || scope.read.includes(owner_bu_id)) return loadSnippets(db, names);
  return loadSnippets(platform.scoped({ ...scope, read: [...scope.read, owner_bu_id] }), names);
}

/**
 * The contents of the named snippets and of all that they include, by name; those that do not exist are left out.
 * One query for each level.
 * @throws AppError TEMPLATE_RENDER_ERROR naming the snippet with which they are too long together.
 */
export async function loadSnippets(db: ScopedDb, names: readonly string[]): Promise<Record<string, string>> {
  const found = new Map<string, string>();
  const asked = new Set<string>();
  let missing = [...new Set(names)];
  let room = MAX_CHARS;
  for (let level = 0; level < LEVELS && missing.length > 0; level += 1) {
    const rows = await db.query
      .selectFrom('email_template_snippets')
      .select('name')
      // Contents that there is no room for are not even read.
      .select(
        sql<
          string | null
        >`case when sum(length(content)) over (order by name) <= ${room} then content end`.as('content'),
      )
      .where('name', '=', sql<string>`any(${missing})`)
      .execute();
    for (const name of missing) asked.add(name);
    const contents = rows.map(({ name, content }) => {
      if (content === null) throw tooLong(name);
      found.set(name, content);
      room -= content.length;
      return content;
    });
    missing = findSnippetNames(...contents).filter((name) => !asked.has(name));
  }
  return Object.fromEntries(found);
}

function tooLong(name: string): AppError {
  const message = `With the snippet ${JSON.stringify(name)} the snippets are longer than ${MAX_CHARS} characters together.`;
  return new AppError(TEMPLATE_RENDER_ERROR, { message });
}

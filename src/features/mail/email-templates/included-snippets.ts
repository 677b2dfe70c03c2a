import { sql } from 'kysely';
import { AppError } from '../../../errors/app-error.ts';
import type { MemberContext } from '../../../http/context.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import { TEMPLATE_RENDER_ERROR } from './errors.ts';
import { findSnippetNames } from './rendering/render-source.ts';
import type { TemplateRow } from './resource.ts';

/** Levels of nested snippets that are read: one more than allowed, so that the renderer can report the excess. */
const LEVELS = 6;
/** Length of all snippets together, in characters: the maximum of a message. */
const MAX_CHARS = 10 * 1024 * 1024;

/**
 * Loads the snippets of a stored template like `loadSnippets`. A shared template uses the snippets of its own unit,
 * regardless of the sender. Do not call it in a transaction: it opens a scope of its own.
 */
export function loadSnippetsOf(
  { platform, db }: Pick<MemberContext, 'platform' | 'db'>,
  { shared, owner_bu_id }: Pick<TemplateRow, 'shared' | 'owner_bu_id'>,
  texts: readonly (string | null)[],
): Promise<Record<string, string>> {
  const { scope } = db;
  if (!shared || scope.read === 'all' || scope.read.includes(owner_bu_id)) return loadSnippets(db, texts);
  return loadSnippets(platform.scoped({ ...scope, read: [...scope.read, owner_bu_id] }), texts);
}

/**
 * Loads the snippets that the texts include and all nested ones, by name; missing ones are left out. One query per
 * level.
 * @throws AppError TEMPLATE_RENDER_ERROR naming the snippet that exceeds the total length.
 */
export async function loadSnippets(
  db: ScopedDb,
  texts: readonly (string | null)[],
): Promise<Record<string, string>> {
  const found = new Map<string, string>();
  const requested = new Set<string>();
  let missing = findSnippetNames(...texts);
  let remaining = MAX_CHARS;
  for (let level = 0; level < LEVELS && missing.length > 0; level += 1) {
    const rows = await db.query
      .selectFrom('email_template_snippets')
      .select('name')
      // Contents beyond the limit are not read.
      .select(
        sql<
          string | null
        >`case when sum(length(content)) over (order by name) <= ${remaining} then content end`.as('content'),
      )
      .where('name', '=', sql<string>`any(${missing})`)
      .execute();
    for (const name of missing) requested.add(name);
    const contents = rows.map(({ name, content }) => {
      if (content === null) throw tooLong(name);
      found.set(name, content);
      remaining -= content.length;
      return content;
    });
    missing = findSnippetNames(...contents).filter((name) => !requested.has(name));
  }
  return Object.fromEntries(found);
}

function tooLong(name: string): AppError {
  const message = `The snippets exceed ${MAX_CHARS} characters in total; the limit is reached at ${JSON.stringify(name)}.`;
  return new AppError(TEMPLATE_RENDER_ERROR, { message });
}

import { sql } from 'kysely';
import type { MemberContext } from '../../http/context.ts';
import type { ScopedDb } from '../../tenancy/scoped-db.ts';
import { findSnippetNames } from './rendering/render-source.ts';
import type { TemplateRow } from './resource.ts';

/** Snippets may include snippets this deep; one level more is read, so that the renderer can tell what is too deep. */
const LEVELS = 6;

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
 */
export async function loadSnippets(db: ScopedDb, names: readonly string[]): Promise<Record<string, string>> {
  const found = new Map<string, string>();
  const asked = new Set<string>();
  let missing = [...new Set(names)];
  for (let level = 0; level < LEVELS && missing.length > 0; level += 1) {
    const rows = await db.query
      .selectFrom('email_template_snippets')
      .select(['name', 'content'])
      .where('name', '=', sql<string>`any(${missing})`)
      .execute();
    for (const name of missing) asked.add(name);
    for (const { name, content } of rows) found.set(name, content);
    missing = findSnippetNames(...rows.map(({ content }) => content)).filter((name) => !asked.has(name));
  }
  return Object.fromEntries(found);
}

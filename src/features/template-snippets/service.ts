import { isSqlState, UNIQUE_VIOLATION } from '../../db/sqlstate.ts';
import { AppError } from '../../errors/app-error.ts';
import type { MemberContext } from '../../http/context.ts';
import { type ListPage, pageOf } from '../../resources/paging.ts';
import {
  type Columns,
  type CreateOptions,
  createRecord,
  deleteRecord,
  getRecord,
  listViews,
  type ReplaceOptions,
  replaceRecord,
} from '../../resources/records.ts';
import { findSyntaxFault, invalidTemplate } from '../email-templates/index.ts';
import { DUPLICATE_SNIPPET } from './errors.ts';
import { snippets } from './resource.ts';
import type { Snippet, SnippetBody, SnippetQuery } from './schema.ts';

/** Creates a snippet whose content was checked. @throws AppError DUPLICATE_SNIPPET. */
export async function createSnippet(
  ctx: MemberContext,
  body: SnippetBody,
  options: CreateOptions,
): Promise<{ id: string }> {
  const { id } = await namedOnce(() => createRecord(ctx, snippets, toColumns(body), options));
  return { id };
}

/** One page of snippets, newest first. */
export async function listSnippets(
  ctx: MemberContext,
  { search, ...page }: SnippetQuery,
): Promise<ListPage<Snippet>> {
  return listViews(ctx.db, snippets, { ...pageOf(page), search });
}

/** Reads a snippet. @throws AppError NOT_FOUND. */
export async function getSnippet(ctx: MemberContext, id: string): Promise<Snippet> {
  return snippets.view(await getRecord(ctx.db, snippets, id));
}

/** Checks what a snippet shall be replaced with. @throws AppError NOT_FOUND, or as `checkContent`. */
export async function prepareReplace(ctx: MemberContext, id: string, body: SnippetBody): Promise<void> {
  await getRecord(ctx.db, snippets, id);
  await checkContent(ctx, body);
}

/** Replaces a snippet; messages rendered from then on have it. @throws AppError as `createSnippet` and `replaceRecord`. */
export async function replaceSnippet(
  ctx: MemberContext,
  id: string,
  body: SnippetBody,
  options: ReplaceOptions,
): Promise<{ id: string }> {
  await namedOnce(() => replaceRecord(ctx, snippets, id, options, () => toColumns(body)));
  return { id };
}

/** Deletes a snippet; templates that include it cannot be rendered any more. @throws AppError as `deleteRecord`. */
export async function deleteSnippet(ctx: MemberContext, id: string): Promise<{ id: string }> {
  await deleteRecord(ctx, snippets, id);
  return { id };
}

function toColumns({ name, content, description }: SnippetBody): Columns {
  return { name, content, description: description ?? null };
}

async function namedOnce<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (isSqlState(error, UNIQUE_VIOLATION, 'email_template_snippets_name'))
      throw new AppError(DUPLICATE_SNIPPET, { cause: error });
    throw error;
  }
}

/** A rendering thread reads the content: never inside a transaction. @throws AppError INVALID_TEMPLATE. */
export async function checkContent(ctx: MemberContext, { content }: SnippetBody): Promise<void> {
  const fields = { subject: 'content', html: 'content', text: 'content' };
  const fault = await findSyntaxFault(ctx, { subject: '', html: content, text: null }, fields);
  if (fault !== null) throw invalidTemplate([fault]);
}

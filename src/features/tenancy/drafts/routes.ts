import { FORBIDDEN, NOT_FOUND, VALIDATION_ERROR } from '../../../errors/platform-errors.ts';
import { defineRoute, type Route } from '../../../http/route.ts';
import {
  AuthorQuery,
  Draft,
  DraftBody,
  DraftPath,
  DraftRemoved,
  DraftSaved,
  DraftsQuery,
  ListedDrafts,
  MAX_DRAFT_BYTES,
} from './schema.ts';
import { getDraft, keepDraft, listOwnAndShared, removeDraft, requireSharing } from './service.ts';

const tag = 'Drafts';
const path = '/api/client/v1/drafts';

/** Unsaved changes that members keep on the server (docs/specification/tenants.md#drafts). */
export const routes: readonly Route[] = [
  defineRoute({
    id: 'drafts.list',
    method: 'GET',
    path,
    summary: "Lists the caller's drafts of a kind, then the shared ones, newest first",
    description: 'Without their content. Shared drafts are those of records that the caller can see.',
    tag,
    access: 'member',
    query: DraftsQuery,
    reply: ListedDrafts,
    handler: async (ctx, { query }) => ({ results: await listOwnAndShared(ctx, query) }),
  }),
  defineRoute({
    id: 'drafts.get',
    method: 'GET',
    path: `${path}/{entity_type}/{key}`,
    summary: 'Reads a draft of the caller, or a shared one of another member',
    tag,
    access: 'member',
    errors: [NOT_FOUND],
    params: DraftPath,
    query: AuthorQuery,
    reply: Draft,
    handler: (ctx, { params, query }) => getDraft(ctx, params, query.membership_id),
  }),
  defineRoute({
    id: 'drafts.put',
    method: 'PUT',
    path: `${path}/{entity_type}/{key}`,
    summary: 'Keeps a draft, in place of an earlier one of the same item',
    tag,
    access: 'member',
    errors: [FORBIDDEN, VALIDATION_ERROR],
    params: DraftPath,
    body: DraftBody,
    maxBodyBytes: MAX_DRAFT_BYTES,
    reply: DraftSaved,
    prepare: (ctx, { params, body }) => requireSharing(ctx, params, body),
    write: (ctx, { params, body }) => keepDraft(ctx, params, body),
  }),
  defineRoute({
    id: 'drafts.delete',
    method: 'DELETE',
    path: `${path}/{entity_type}/{key}`,
    summary: 'Deletes a draft of the caller',
    tag,
    access: 'member',
    errors: [NOT_FOUND],
    params: DraftPath,
    reply: DraftRemoved,
    write: async (ctx, { params }) => {
      await removeDraft(ctx, params);
      return { success: true };
    },
  }),
];

import Type from 'typebox';
import { FORBIDDEN, NOT_FOUND } from '../../../errors/platform-errors.ts';
import { CONTENT_BODY_BYTES } from '../../../http/body-limit.ts';
import { defineRoute, type Route } from '../../../http/route.ts';
import { withMore } from '../../../resources/view.ts';
import { snapshots } from './resource.ts';
import { SnapshotBody, TokenReply } from './schema.ts';
import { createSnapshot, readSnapshot } from './service.ts';

const tag = 'Pages: previews';

/** Previews of documents by a link (docs/specification/pages.md#previews). */
export const routes: readonly Route[] = [
  defineRoute({
    id: 'preview_snapshots.create',
    method: 'POST',
    path: '/api/pages/{project_id}/document/{document_id}/preview-snapshot',
    summary: 'Stores the unsaved state of a document for a preview',
    description: 'The document need not exist yet. Anyone with the token can read the snapshot for 24 hours.',
    tag,
    access: 'editor',
    errors: [NOT_FOUND, FORBIDDEN],
    params: Type.Object({ project_id: Type.String(), document_id: Type.String() }),
    body: SnapshotBody,
    maxBodyBytes: CONTENT_BODY_BYTES,
    returnsSecrets: true,
    reply: TokenReply,
    write: (ctx, { params, body }) => createSnapshot(ctx, params.project_id, params.document_id, body),
  }),
  defineRoute({
    id: 'preview_snapshots.get',
    method: 'GET',
    path: '/api/pages/preview/{token}',
    summary: 'Reads a snapshot by its token; needs no key',
    tag,
    access: 'public',
    errors: [NOT_FOUND],
    params: Type.Object({ token: Type.String() }),
    returnsSecrets: true,
    // The token alone grants access, so any origin may read.
    cors: { origins: async () => ['*'] },
    reply: withMore(snapshots.reply, { token: Type.String() }, 'PreviewSnapshot'),
    handler: (ctx, { params: { token } }) => readSnapshot(ctx, token),
  }),
];

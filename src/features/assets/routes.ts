import Type from 'typebox';
import { AppError } from '../../errors/app-error.ts';
import {
  FORBIDDEN,
  NOT_FOUND,
  PAYLOAD_TOO_LARGE,
  RATE_LIMITED,
  STORAGE_UNAVAILABLE,
} from '../../errors/platform-errors.ts';
import { defineRawRoute, defineRoute, type Route } from '../../http/route.ts';
import { listRoute } from '../../resources/list-routes.ts';
import { readsShared } from '../../resources/ownership.ts';
import { getRecord } from '../../resources/records.ts';
import { deleteRoute, replaceRoute } from '../../resources/routes.ts';
import { withMore } from '../../resources/view.ts';
import { PUBLIC_PATH, urlOf } from './addresses.ts';
import { FILE_CORS, serveFile } from './download.ts';
import { listAssets } from './queries.ts';
import { enqueueRemoval } from './removal.ts';
import { assets } from './resource.ts';
import { VariantQuery } from './schema.ts';
import { ASSET_UPLOAD, abandonUpload, createAsset, storeUpload } from './upload.ts';

const tag = 'Assets';
const family = { path: '/api/assets', id: 'assets', tag, noun: 'asset' } as const;
const Url = Type.String({ description: 'Public URL.' });
const added = { url: Url };

const uploadRoute = defineRoute({
  tag,
  id: 'assets.create',
  method: 'POST',
  path: '/api/assets',
  summary: 'Uploads a file',
  description:
    'Form data: `file` (at most 100 MiB); optional `name`, `folder`, `alt`, repeated `tags`. The type is detected from the content. Corrupt images and images over 100 megapixels are rejected.',
  access: 'editor',
  errors: [FORBIDDEN, PAYLOAD_TOO_LARGE, RATE_LIMITED, STORAGE_UNAVAILABLE],
  upload: ASSET_UPLOAD,
  reply: Type.Object({ id: Type.String(), url: Url }, { title: 'AssetReply' }),
  prepare: (ctx, { body }) => storeUpload(ctx, body),
  write: (ctx, _input, stored) => createAsset(ctx, stored),
  abandon: (ctx, _input, stored) => abandonUpload(ctx, stored),
});

const getRoute = defineRoute({
  tag,
  id: 'assets.get',
  method: 'GET',
  path: '/api/assets/{id}',
  summary: "Reads an asset's metadata",
  access: 'member',
  errors: [NOT_FOUND],
  params: Type.Object({ id: Type.String() }),
  reply: withMore(assets.reply, added, 'Asset'),
  handler: async ({ caller, platform, db }, { params }) => {
    if (!readsShared(caller)) throw new AppError(NOT_FOUND);
    const row = await getRecord(db, assets, params.id);
    return { ...assets.view(row), url: urlOf(platform, row) };
  },
});

const downloadRoute = defineRawRoute({
  tag,
  id: 'assets.download',
  method: 'GET',
  path: `${PUBLIC_PATH}/{id}/{file}`,
  summary: 'File of an asset; images in any size and format',
  description:
    '`file` may be any name. Supports conditional and range requests. Types that a browser could execute are sent as downloads.',
  access: 'public',
  errors: [NOT_FOUND, RATE_LIMITED, STORAGE_UNAVAILABLE],
  cors: FILE_CORS,
  params: Type.Object({ id: Type.String(), file: Type.String() }),
  query: VariantQuery,
  raw: { contentType: '*/*', description: 'The file.' },
  handler: (ctx, { params, query }) => serveFile(ctx, params.id, query),
});

/** Upload, list, read, replace and delete assets, and their public addresses (docs/specification/assets.md#asset). */
export const routes: readonly Route[] = [
  uploadRoute,
  listRoute(assets, family, {
    isVisible: ({ caller }) => readsShared(caller),
    more: Type.Object(added),
    itemTitle: 'Asset',
    extend: async ({ platform, db }, ids) => {
      const found = await listAssets(db, ids);
      return ids.map((id) => ({ url: urlOf(platform, { id, name: found.get(id)?.name ?? '' }) }));
    },
  }),
  getRoute,
  // Only owners change assets, because the whole tenant shares them (docs/specification/assets.md#asset).
  {
    ...replaceRoute(assets, family, { summary: "Replaces an asset's name, folder, alt and tags" }),
    access: 'owner',
  },
  {
    ...deleteRoute(assets, family, {
      summary: 'Deletes an asset with its files',
      after: ({ platform, db, now }, { id }) => enqueueRemoval(platform, db, id, now),
    }),
    access: 'owner',
  },
  downloadRoute,
];

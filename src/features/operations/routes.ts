import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import Type from 'typebox';
import { AppError, defineError } from '../../errors/app-error.ts';
import { NOT_FOUND } from '../../errors/platform-errors.ts';
import { definePage } from '../../http/page.ts';
import { defineRawRoute, defineRoute, type Route } from '../../http/route.ts';
import { checkReadiness } from './readiness.ts';
import { REFERENCE_ASSETS, referenceAsset, referencePage } from './reference.ts';

/** The process cannot serve now: its database does not answer, or it is about to stop. */
export const NOT_READY = defineError('NOT_READY', 503, 'The service is not ready.');

const tag = 'Operations';

/** Health, metrics and the API's own description. */
export const routes: readonly Route[] = [
  defineRoute({
    id: 'operations.health',
    method: 'GET',
    path: '/healthz',
    summary: 'Tells that the process is alive',
    tag,
    access: 'public',
    reply: Type.Object({ status: Type.String() }),
    handler: async () => ({ status: 'ok' }),
  }),
  defineRoute({
    id: 'operations.readiness',
    method: 'GET',
    path: '/readyz',
    summary: 'Tells whether the database and the queue answer',
    tag,
    access: 'public',
    errors: [NOT_READY],
    reply: Type.Object({ status: Type.String() }),
    handler: async (ctx) => {
      if (!(await checkReadiness(ctx.platform))) throw new AppError(NOT_READY);
      return { status: 'ready' };
    },
  }),
  defineRawRoute({
    id: 'operations.metrics',
    method: 'GET',
    path: '/metrics',
    summary: 'Prometheus metrics of this process',
    tag,
    access: 'public',
    raw: { contentType: 'text/plain', description: 'Metrics in the text exposition format.' },
    handler: async (ctx) => ({
      status: 200,
      headers: { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' },
      body: await ctx.platform.metrics.render(),
    }),
  }),
  defineRawRoute({
    id: 'operations.openapi',
    method: 'GET',
    path: '/openapi.json',
    summary: 'This API as an OpenAPI 3.1 document',
    tag,
    access: 'public',
    raw: { contentType: 'application/json', description: 'The document.' },
    handler: async () => ({
      status: 200,
      headers: { 'content-type': 'application/json; charset=utf-8' },
      body: await readFile(join(import.meta.dirname, '../../../openapi.json')),
    }),
  }),
  definePage({
    id: 'operations.reference',
    method: 'GET',
    path: '/docs',
    summary: 'The API reference, rendered',
    tag,
    access: 'public',
    page: 'The reference page; it needs no other network.',
    handler: () => ({ html: referencePage() }),
  }),
  defineRawRoute({
    id: 'operations.reference_asset',
    method: 'GET',
    path: '/docs/assets/{file}',
    summary: 'A script or stylesheet of the reference',
    tag,
    access: 'public',
    errors: [NOT_FOUND],
    params: Type.Object({ file: Type.String() }),
    raw: { contentType: 'text/plain', description: 'The file.' },
    handler: async (_ctx, { params }) => {
      const contentType = REFERENCE_ASSETS.get(params.file);
      if (contentType === undefined) throw new AppError(NOT_FOUND);
      return {
        status: 200,
        headers: { 'content-type': contentType },
        body: await referenceAsset(params.file),
      };
    },
  }),
];

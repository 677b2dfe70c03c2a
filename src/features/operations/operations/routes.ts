import Type from 'typebox';
import { AppError, defineError } from '../../../errors/app-error.ts';
import { defineRawRoute, defineRoute, type Route } from '../../../http/route.ts';
import { findReadinessProblem } from './readiness.ts';

/** The process cannot serve requests: it is starting or stopping, or its database does not respond. */
export const NOT_READY = defineError('NOT_READY', 503, 'The service is not ready.');

const tag = 'Operations';

/** Health and metrics. */
export const routes: readonly Route[] = [
  defineRoute({
    id: 'operations.health',
    method: 'GET',
    path: '/healthz',
    summary: 'Liveness: the process is running',
    tag,
    access: 'public',
    reply: Type.Object({ status: Type.String() }, { title: 'StatusReply' }),
    handler: async () => ({ status: 'ok' }),
  }),
  defineRoute({
    id: 'operations.readiness',
    method: 'GET',
    path: '/readyz',
    summary: 'Readiness, and the reason if not ready',
    tag,
    access: 'public',
    errors: [NOT_READY],
    reply: Type.Object({ status: Type.String() }, { title: 'StatusReply' }),
    handler: async (ctx) => {
      const reason = await findReadinessProblem(ctx.platform);
      if (reason !== null) throw new AppError(NOT_READY, { message: `The service is not ready: ${reason}.` });
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
    raw: { contentType: 'text/plain', description: 'Metrics in Prometheus text format.' },
    handler: async ({ platform }) => ({
      status: 200,
      headers: { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' },
      body: await platform.metrics.render(),
    }),
  }),
];

/** The limit of `redirects`: bare Fastify that looks the path up in a Map, without authentication. */
import Fastify from 'fastify';
import { sampleRules } from '../harness/sample-redirects.ts';

const targets = new Map(sampleRules().map(({ source, target }) => [source, target]));
const server = Fastify();

server.post<{ Body: { source_url_path: string } }>(
  '/api/pages/:project_id/redirects/check',
  {
    schema: {
      response: {
        200: {
          type: 'object',
          properties: {
            redirect: { type: 'boolean' },
            redirect_type: { type: 'string' },
            target_url: { type: 'string' },
            is_external: { type: 'boolean' },
          },
        },
      },
    },
  },
  async ({ body }) => {
    const [path = ''] = body.source_url_path.split('?', 1);
    const target = targets.get(path);
    if (target === undefined) return { redirect: false };
    return { redirect: true, redirect_type: '301', target_url: target, is_external: false };
  },
);

console.log(`The server of the Map runs at ${await server.listen({ port: 0, host: '127.0.0.1' })}`);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(0));

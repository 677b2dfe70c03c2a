/** The limit of `tracking`: bare Fastify that answers every path with one pixel and stores nothing. */
import Fastify from 'fastify';

const PIXEL = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');

const server = Fastify();
server.get('/t/o/:token', (_request, reply) =>
  reply.header('content-type', 'image/gif').header('cache-control', 'no-store, private').send(PIXEL),
);
console.log(`The pixel server runs at ${await server.listen({ port: 0, host: '127.0.0.1' })}`);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(0));

/** The limit of `assets`: bare Fastify that streams the files of a folder. */
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import Fastify from 'fastify';

const folder = process.env.FOLDER ?? '';

const server = Fastify();
server.get<{ Params: { name: string } }>('/:name', async ({ params }, reply) => {
  const path = join(folder, params.name);
  const { size } = await stat(path);
  return reply
    .header('content-type', 'application/octet-stream')
    .header('content-length', size)
    .send(createReadStream(path));
});
console.log(`The files server runs at ${await server.listen({ port: 0, host: '127.0.0.1' })}`);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(0));

import assert from 'node:assert/strict';
import { once } from 'node:events';
import http, { type IncomingMessage } from 'node:http';
import test, { after } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import Fastify from 'fastify';
import Type from 'typebox';
import { createClient } from '../../test/harness/client.ts';
import { eventually } from '../../test/harness/poll.ts';
import { serveRoutes } from '../../test/harness/route-server.ts';
import { eventsIn } from '../../test/harness/server-events.ts';
import { startOwnApp } from '../../test/harness/test-app.ts';
import { AppError } from '../errors/app-error.ts';
import { NOT_FOUND, VERSION_CONFLICT } from '../errors/platform-errors.ts';
import { type ServerEvent, sendEvents } from './event-stream.ts';
import { defineRoute } from './route.ts';

const app = await startOwnApp();
const facts = { summary: 'Tells', tag: 'Test', access: 'public' } as const;
const seen = { made: 0, ended: 0 };

async function* count(upTo: number): AsyncGenerator<ServerEvent> {
  for (let number = 1; number <= upTo; number += 1) yield { event: 'number', data: { number } };
}

/** Waits until the signal is aborted. */
async function* wait(signal: AbortSignal): AsyncGenerator<ServerEvent> {
  yield { data: 'begun' };
  await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
  seen.ended += 1;
}

async function* flood(): AsyncGenerator<ServerEvent> {
  for (;;) {
    seen.made += 1;
    yield { data: 'x'.repeat(64 * 1024) };
  }
}

async function* fail(error: Error): AsyncGenerator<ServerEvent> {
  yield { data: 'begun' };
  throw error;
}

const routes = [
  defineRoute({ ...facts, id: 'numbers', method: 'GET', path: '/numbers', events: () => count(3) }),
  defineRoute({
    ...facts,
    id: 'waiting',
    method: 'GET',
    path: '/waiting',
    events: (_ctx, _input, signal) => wait(signal),
  }),
  defineRoute({ ...facts, id: 'flood', method: 'GET', path: '/flood', events: () => flood() }),
  defineRoute({
    ...facts,
    id: 'failing',
    method: 'GET',
    path: '/failing/{when}',
    params: Type.Object({ when: Type.String() }),
    events: async (_ctx, { params }) => {
      if (params.when === 'before') throw new AppError(NOT_FOUND);
      return fail(params.when === 'known' ? new AppError(VERSION_CONFLICT) : new Error('secret'));
    },
  }),
  defineRoute({
    ...facts,
    id: 'both',
    method: 'POST',
    path: '/both',
    reply: Type.Object({ whole: Type.Boolean() }),
    handler: async () => ({ whole: true }),
    events: () => count(1),
  }),
];
const { url, drain } = await serveRoutes(app.app.platform, routes);
const client = createClient(url);

async function open(path: string): Promise<IncomingMessage> {
  const [response] = await once(http.get(url + path), 'response');
  return response;
}

const openStreams = async () => {
  const metrics = await app.app.platform.metrics.render();
  return Number(/^tessera_event_streams (\d+)$/m.exec(metrics)?.[1]);
};

test('events arrive in order, and the response ends after them', async () => {
  const answer = await client.get('/numbers');
  assert.match(answer.headers.get('content-type') ?? '', /^text\/event-stream/);
  assert.deepEqual(
    eventsIn(answer.text),
    [1, 2, 3].map((number) => ({ event: 'number', data: { number } })),
  );
});

test('one route answers with JSON or with events, as requested by its client', async () => {
  assert.deepEqual((await client.post('/both', undefined)).body, { whole: true });
  const headers = { accept: 'text/event-stream' };
  assert.equal(eventsIn((await client.post('/both', undefined, 200, { headers })).text).length, 1);
  const keyed = { headers: { ...headers, 'idempotency-key': 'x' } };
  assert.equal((await client.post('/both', undefined, 400, keyed)).body.issues[0].field, 'Idempotency-Key');
});

test('an error before the first event is answered as usual, a later one is the last event', async () => {
  assert.equal((await client.get('/failing/before', 404)).body.code, 'NOT_FOUND');
  const known = eventsIn((await client.get('/failing/known')).text).at(-1);
  assert.deepEqual(known, {
    event: 'error',
    data: { code: VERSION_CONFLICT.code, message: VERSION_CONFLICT.message },
  });
  const { text } = await client.get('/failing/unknown');
  assert.match(text, /INTERNAL_ERROR/);
  assert.doesNotMatch(text, /secret/);
});

test('a client that disconnects ends the source of its events', async () => {
  const before = seen.ended;
  const response = await open('/waiting');
  await once(response, 'data');
  response.destroy();
  await eventually('the source to end', async () => seen.ended === before + 1);
  await eventually('the stream to be forgotten', async () => (await openStreams()) === 0);
});

test('a source of events is aborted if its client disconnected before the first event', async () => {
  const server = Fastify();
  after(() => server.close());
  const arrived = Promise.withResolvers<void>();
  const isGone = Promise.withResolvers<boolean>();
  server.get('/late', async (_request, reply) => {
    arrived.resolve();
    await once(reply.raw, 'close');
    const open = (signal: AbortSignal) => {
      isGone.resolve(signal.aborted);
      return count(1);
    };
    return sendEvents(app.app.platform, reply, { open, describe: () => ({}), endsByItself: true });
  });
  const address = await server.listen({ port: 0, host: '127.0.0.1' });
  const request = http.get(`${address}/late`).on('error', () => {});
  await arrived.promise;
  request.destroy();
  assert.equal(await isGone.promise, true);
});

test('events are produced only as fast as their client reads', async () => {
  const response = await open('/flood');
  response.pause();
  await eventually('the source to be held back', async () => {
    const before = seen.made;
    await pause(200);
    return seen.made > 0 && seen.made === before;
  });
  assert.ok(seen.made < 500, `${seen.made} events of 64 KiB were made`);
  response.destroy();
});

test('a drain ends open streams properly', async () => {
  const response = await open('/waiting');
  response.setEncoding('utf8');
  let text = '';
  response.on('data', (chunk) => {
    text += chunk;
  });
  const ended = once(response, 'end');
  await eventually('the stream to begin', async () => text.includes('begun'));
  const began = performance.now();
  await drain.end(30_000, () => app.app.platform.drain.start());
  await ended;
  assert.ok(response.complete);
  assert.ok(performance.now() - began < 20_000, 'the drain waited for the stream');
});

import assert from 'node:assert/strict';
import test from 'node:test';
import Type from 'typebox';
import { createClient } from '../../test/harness/client.ts';
import { serveRoutes } from '../../test/harness/route-server.ts';
import { startTestApp } from '../../test/harness/test-app.ts';
import { AppError } from '../errors/app-error.ts';
import { NOT_FOUND } from '../errors/platform-errors.ts';
import { wholeTenant } from '../tenancy/scope.ts';
import type { ScopedDb } from '../tenancy/scoped-db.ts';
import { defineRoute } from './route.ts';

const app = await startTestApp();
const { platform } = app.app;
const tenant = await app.createTenant();
const db = platform.scoped(wholeTenant(tenant.tenantId));

const lax = {
  summary: 'Tells',
  tag: 'Test',
  access: 'public',
  path: '/lax',
  body: Type.Object({ given: Type.Optional(Type.String()) }),
  reply: Type.Object({ body: Type.String() }),
} as const;
const body = Type.Object({ recipient: Type.String(), fails: Type.Optional(Type.Boolean()) });
const reply = Type.Object({ ran: Type.String() });
const facts = { method: 'POST', summary: 'Writes', tag: 'Test', body, reply } as const;
/** True if hooks ran immediately, as outside a transaction. */
const hooks: string[] = [];

async function insert(tx: ScopedDb, recipient: string): Promise<void> {
  const created_at = new Date().toISOString();
  const row = { tenant_id: tx.tenantId, recipient, type: 'bounce', description: '', created_at } as const;
  await tx.query.insertInto('email_suppressions').values(row).execute();
}

async function isWritten(recipient: string): Promise<boolean> {
  const rows = await db.query
    .selectFrom('email_suppressions')
    .select('recipient')
    .where('recipient', '=', recipient)
    .execute();
  return rows.length === 1;
}

function hooked(tx: ScopedDb): string {
  let ran = 'later';
  tx.afterCommit(() => {
    ran = 'at once';
  });
  return ran;
}

const { url } = await serveRoutes(platform, [
  defineRoute({
    ...facts,
    id: 'rows.create',
    path: '/api/rows',
    access: 'editor',
    prepare: async (ctx) => hooked(ctx.db),
    write: async (ctx, input, prepared) => {
      hooks.push(prepared, hooked(ctx.db));
      await insert(ctx.db, input.body.recipient);
      if (input.body.fails) throw new AppError(NOT_FOUND);
      return { ran: input.body.recipient };
    },
    abandon: async (ctx, _input, prepared) => {
      hooks.push(`abandoned ${prepared}`, hooked(ctx.db));
      throw new Error('The caller gets the first error.');
    },
  }),
  defineRoute({
    ...facts,
    id: 'single_rows.create',
    path: '/api/single-rows',
    access: 'editor',
    oneStatement: true,
    write: async (ctx, input) => {
      hooks.push(hooked(ctx.db));
      await insert(ctx.db, input.body.recipient);
      return { ran: input.body.recipient };
    },
  }),
  defineRoute({
    ...facts,
    id: 'visits.create',
    path: '/visits',
    access: 'public',
    prepare: async () => ({ tenantId: tenant.tenantId }),
    write: async (ctx, input) => {
      await insert(ctx.db, input.body.recipient);
      if (input.body.fails) throw new AppError(NOT_FOUND);
      return { ran: ctx.db.tenantId };
    },
  }),
  ...(['POST', 'PUT'] as const).map((method) =>
    defineRoute({
      ...lax,
      method,
      id: `lax.${method}`,
      ...(method === 'POST' && { mayLackBody: true as const }),
      handler: async (_ctx, input) => ({ body: JSON.stringify(input.body) }),
    }),
  ),
]);
const api = createClient(url, tenant.api.headers);
const anonymous = createClient(url);
const keyed = (key: string) => api.with({ 'idempotency-key': key });

test('prepare runs outside the transaction, write inside', async () => {
  for (const client of [api, keyed('inside')]) {
    hooks.length = 0;
    await client.post('/api/rows', { recipient: `inside-${client === api}@x.test` });
    assert.deepEqual(hooks, ['at once', 'later']);
  }
});

test('a route may make its body optional', async () => {
  assert.deepEqual((await anonymous.post('/lax', undefined)).body, { body: '{}' });
  await anonymous.post('/lax', null, 400);
  await anonymous.put('/lax', undefined, 400);
  await anonymous.post('/visits', undefined, 400);
});

test('a failed write leaves nothing, with a key or without', async () => {
  for (const client of [api, keyed('fails')]) {
    await client.post('/api/rows', { recipient: 'fails@x.test', fails: true }, 404);
    assert.equal(await isWritten('fails@x.test'), false);
  }
  // The key was released.
  await keyed('fails').post('/api/rows', { recipient: 'fails@x.test' });
  assert.equal(await isWritten('fails@x.test'), true);
});

test('what was prepared for a failed write is abandoned, outside the transaction', async () => {
  hooks.length = 0;
  await api.post('/api/rows', { recipient: 'abandons@x.test', fails: true }, 404);
  assert.deepEqual(hooks, ['at once', 'later', 'abandoned at once', 'at once']);
});

test('a write of one statement gets a transaction only to store the response of a key', async () => {
  hooks.length = 0;
  await api.post('/api/single-rows', { recipient: 'one@x.test' });
  await keyed('one').post('/api/single-rows', { recipient: 'two@x.test' });
  await keyed('one').post('/api/single-rows', { recipient: 'two@x.test' });
  assert.deepEqual(hooks, ['at once', 'later']);
});

test("a visitor's write belongs to the prepared tenant, and is atomic", async () => {
  await anonymous.post('/visits', { recipient: 'lost@x.test', fails: true }, 404);
  assert.equal(await isWritten('lost@x.test'), false);
  const visitor = anonymous.with({ 'idempotency-key': 'visit' });
  const first = await visitor.post('/visits', { recipient: 'visit@x.test' });
  assert.deepEqual(first.body, { ran: tenant.tenantId });
  assert.deepEqual((await visitor.post('/visits', { recipient: 'visit@x.test' })).body, first.body);
  assert.equal(await isWritten('visit@x.test'), true);
});

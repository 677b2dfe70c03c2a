/**
 * Every operation of the document, called by a hostile client: wrong types, deep and truncated bodies, broken
 * encodings, injections, foreign ids, tricks with headers and framing. FUZZ_SECONDS sets the duration, FUZZ_SEED the
 * attacks.
 */
import assert from 'node:assert/strict';
import { connect } from 'node:net';
import test from 'node:test';
import type { Route } from '../../src/http/route.ts';
import { clientOf, clientsOf, isRead, ownerOf, targetOf } from '../contract/route-calls.ts';
import { allRoutes, createWorld, requestTo } from '../contract/world.ts';
import type { Answer } from '../harness/client.ts';
import { eventually } from '../harness/poll.ts';
import { startReceiver } from '../harness/receiver.ts';
import { startOwnApp } from '../harness/test-app.ts';
import { type Attack, attackOn, choicesOf } from './attacks.ts';
import { acceptBefore } from './survivors.ts';

export const runsOn = ['server'];
export const neverRunsOn = ['cluster'];

const SECONDS = Number(process.env.FUZZ_SECONDS ?? 8);
/** Fixed by default, so that results of two versions are comparable. Use other seeds to explore. */
const SEED = Number(process.env.FUZZ_SEED ?? 20_260);
/** Concurrent calls, so that consequences of one call meet others. */
const AT_ONCE = 8;
/** Text that no response may contain: it reveals internals or the environment. */
const LEAKS =
  /\bat .+\.(?:ts|js):\d+|node_modules|\/src\/|password_hash|tessera_app|SQLSTATE|syntax error at or near|PGlite/;

/** Routes of deliveries, which change without a request. */
const ATTEMPTS = /"last_\w+":(?:null|"[^"]*")/g;

const app = await startOwnApp();
const receiver = await startReceiver();
const tenant = await app.createTenant();
const other = await app.createTenant();
const own = await createWorld(tenant, receiver.url);
const foreign = await createWorld(other, receiver.url);
const checkSurvivors = await acceptBefore(app, other);
/** Operations that would end the sessions or tenants of other calls. */
const attacked = allRoutes.filter(({ id, access }) => access !== 'operator' || !id.startsWith('tenants.'));

const secrets = [
  other.apiKey,
  other.tenantId,
  tenant.apiKey,
  app.env.SECRET_KEY ?? '',
  app.env.ADMIN_TOKEN ?? '',
];

const attackerOf = clientsOf(app, await ownerOf(tenant));
const victim = await ownerOf(other);

/** Returns the other tenant's records, except those that change by themselves. */
async function readForeign(): Promise<string[]> {
  const texts: string[] = [];
  for (const route of allRoutes.filter(isForeignRead)) {
    const { status, text } = await clientOf(route, victim).send(
      'GET',
      targetOf(route, requestTo(route, foreign)),
    );
    texts.push(`${route.id} ${status} ${text.replaceAll(ATTEMPTS, '')}`);
  }
  return texts;
}

/** Deliveries and messages change without a request. */
function isForeignRead(route: Route): boolean {
  const { access, raw, id } = route;
  const isMembers = access !== 'public' && access !== 'operator' && raw === undefined;
  return isRead(route) && isMembers && !/deliver|transmission|health|capabilit|api_keys/.test(id);
}

function assertHarmless(attack: Attack, answer: Answer, context: string): void {
  const isReadiness = attack.target.startsWith('/readyz');
  assert.ok(
    answer.status < 500 || isReadiness,
    `${context} answered ${answer.status}: ${answer.text.slice(0, 500)}`,
  );
  const page = answer.headers.get('content-type')?.includes('json') ? answer.text : '';
  const sent = `${attack.target} ${attack.body ?? ''}`;
  assert.ok(!LEAKS.test(page) || LEAKS.test(sent), `${context} tells how we work: ${page.slice(0, 500)}`);
  for (const secret of secrets)
    assert.ok(!answer.text.includes(secret) || sent.includes(secret), `${context} gives a secret away`);
  assert.equal(answer.headers.get('x-injected'), null, context);
}

test(`hostile calls to every operation for ${SECONDS} s, seed ${SEED}`, async () => {
  const before = await readForeign();
  const choices = choicesOf(SEED);
  const end = performance.now() + SECONDS * 1000;
  let calls = 0;
  const callOn = async () => {
    // Every operation is called, however slow the machine is.
    while (performance.now() < end || calls < attacked.length) {
      const route = attacked[calls % attacked.length];
      assert.ok(route);
      calls += 1;
      const context = `call ${calls} of seed ${SEED}`;
      // Public operations may be called for any tenant's records.
      const ofOthers = requestTo(route, ['public', 'operator'].includes(route.access) ? own : foreign);
      const attack = attackOn(route, requestTo(route, own), ofOthers, choices);
      const { method, target, body, headers } = attack;
      const client = choices.integer(10) === 0 ? app.anonymous : attackerOf(route);
      const hasBody = body !== undefined && method !== 'GET';
      const sent = client.send(method, target, {
        headers: latin(headers),
        ...(hasBody ? { rawBody: body } : {}),
      });
      assertHarmless(attack, await sent, `${context} (${attack.kind}; ${method} ${target.slice(0, 200)})`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, callOn));
  assert.deepEqual(await readForeign(), before);
  await checkSurvivors();
});

/** Converts text to header bytes. */
function latin(headers: Attack['headers']): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, value.replaceAll(/[^\x20-\xff]/g, '')]),
  );
}

const FRAMES: Readonly<Record<string, string>> = {
  'two lengths':
    'POST /api/forms/list HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nContent-Length: 40\r\n\r\n{}{}',
  'length and chunks':
    'POST /api/forms/list HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /admin/tenants HTTP/1.1\r\n\r\n',
  'a chunk too large':
    'POST /api/forms/list HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffffff\r\n',
  'an encoding of its own':
    'POST /api/forms/list HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: xchunked\r\n\r\n{}',
  'a bare line feed': 'GET /healthz HTTP/1.1\nHost: x\n\n',
  'a space before the colon': 'GET /healthz HTTP/1.1\r\nHost : x\r\n\r\n',
  'a folded header': 'GET /healthz HTTP/1.1\r\nHost: x\r\nX-A: b\r\n c\r\n\r\n',
  'U+0000 in a header': 'GET /healthz HTTP/1.1\r\nHost: x\r\nX-A: \0\r\n\r\n',
  'no host': 'GET /healthz HTTP/1.1\r\n\r\n',
  'a whole URL': 'GET http://evil.example/admin/tenants HTTP/1.1\r\nHost: x\r\n\r\n',
  'an unknown method': 'BREW /healthz HTTP/1.1\r\nHost: x\r\n\r\n',
  'an unknown version': 'GET /healthz HTTP/9.9\r\nHost: x\r\n\r\n',
  'headers without end': `GET /healthz HTTP/1.1\r\nHost: x\r\n${'X-A: b\r\n'.repeat(5000)}`,
  'no HTTP at all': '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
  'less than it says':
    'POST /api/forms/list HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 999\r\n\r\n{"page"',
};

for (const [kind, frame] of Object.entries(FRAMES)) {
  test(`${kind}: no 5xx, no internal data, and the process keeps running`, async () => {
    const socket = connect(Number(new URL(app.url).port), '127.0.0.1');
    let answer = '';
    let isOver = false;
    socket.on('data', (chunk) => {
      answer += chunk.toString('latin1');
    });
    socket.on('close', () => {
      isOver = true;
    });
    socket.on('error', () => {});
    // Signals the end of the request, so that a server that waits for more ends it, too.
    socket.end(frame, 'latin1');
    await eventually('an answer or the end', () => isOver || answer !== '', 20_000);
    socket.destroy();
    assert.doesNotMatch(answer, /^HTTP\/1\.1 (?:50[0234]|51)/m);
    assert.ok(!answer.includes(other.code), answer.slice(0, 500));
    await app.anonymous.get('/healthz');
  });
}

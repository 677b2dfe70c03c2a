import assert from 'node:assert/strict';
import test from 'node:test';
import { currentCause, runAs, runCausedBy } from '../db/work-kind.ts';
import { createTokenSigner } from '../secrets/signed-tokens.ts';
import { CHAIN_HEADER, chainHeaders, linkedCause, loopError, readChainHeader } from './chain.ts';

const tokens = createTokenSigner({ secretKey: Buffer.alloc(32, 1), secretKeyPrevious: null });
const others = createTokenSigner({ secretKey: Buffer.alloc(32, 2), secretKeyPrevious: null });
const now = new Date('2026-01-01T00:00:00Z');
const hoursLater = (hours: number) => new Date(now.getTime() + hours * 3_600_000);
const first = linkedCause('t', null, { id: 'r1', link: 'a' });
const second = linkedCause('t', first, { id: 'r2', link: 'b' });

test('a chain keeps its root, in a header that is valid for a day', () => {
  assert.deepEqual(second, { tenantId: 't', root: 'r1', chain: ['a', 'b'] });
  const header = chainHeaders({ tokens, clock: () => now }, second)[CHAIN_HEADER];
  assert.deepEqual(readChainHeader(tokens, header, hoursLater(23)), second);
  assert.equal(readChainHeader(tokens, header, hoursLater(24)), null);
  assert.equal(readChainHeader(others, header, now), null);
  assert.equal(readChainHeader(tokens, undefined, now), null);
  assert.deepEqual(chainHeaders({ tokens, clock: () => now }, null), {});
});

test('a chain of ten links gets no eleventh', () => {
  const chain = Array.from({ length: 10 }, (_link, place) => `a${place}`);
  assert.equal(loopError({ root: null, chain: chain.slice(1) }), null);
  assert.match(loopError({ root: null, chain }) ?? '', /loop.*a0 > a1.*a9/);
  assert.equal(loopError(null), null);
});

test('the cause of work belongs to its tenant, and ends where work of another kind begins', async () => {
  await runCausedBy(second, async () => {
    await null;
    assert.equal(currentCause('t'), second);
    assert.equal(currentCause('other'), null);
    runAs('job', () => assert.equal(currentCause('t'), null));
  });
  assert.equal(currentCause('t'), null);
});

import assert from 'node:assert/strict';
import test from 'node:test';
import { CoalescedReads } from './coalesced-reads.ts';

/** Reads that end when the test ends them; each returns the number of reads so far. */
function heldReads() {
  const held: { end: () => void; fail: (error: Error) => void }[] = [];
  const read = () => {
    const { promise, resolve, reject } = Promise.withResolvers<number>();
    const begun = held.push({ end: () => resolve(begun), fail: reject });
    return promise;
  };
  return { held, read };
}

test('a call during a read shares the next one, which begins when that has ended', async () => {
  const lookUps = new CoalescedReads<number>();
  const { held, read } = heldReads();
  const first = lookUps.find('a', read);
  const later = [lookUps.find('a', read), lookUps.find('a', read)];
  assert.equal(held.length, 1);
  held[0]?.end();
  assert.equal(await first, 1);
  const last = lookUps.find('a', read);
  assert.equal(held.length, 2);
  held[1]?.end();
  assert.deepEqual(await Promise.all(later), [2, 2]);
  held[2]?.end();
  assert.equal(await last, 3);
});

test('a failed read fails for all who share it, and the next one runs all the same', async () => {
  const lookUps = new CoalescedReads<number>();
  const { held, read } = heldReads();
  const first = lookUps.find('a', read);
  const second = lookUps.find('a', read);
  held[0]?.fail(new Error('away'));
  await assert.rejects(first, /away/);
  held[1]?.end();
  assert.equal(await second, 2);
});

test('reads of different keys do not wait for each other', async () => {
  const lookUps = new CoalescedReads<number>();
  const { held, read } = heldReads();
  const [first, second] = [lookUps.find('a', read), lookUps.find('b', read)];
  assert.equal(held.length, 2);
  held[1]?.end();
  assert.equal(await second, 2);
  held[0]?.end();
  assert.equal(await first, 1);
});

test('a key without current readers is read at once', async () => {
  const lookUps = new CoalescedReads<number>();
  const read = async () => 1;
  await lookUps.find('a', read);
  const { held, read: heldRead } = heldReads();
  const found = lookUps.find('a', heldRead);
  assert.equal(held.length, 1);
  held[0]?.end();
  await found;
});

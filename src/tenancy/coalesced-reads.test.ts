import assert from 'node:assert/strict';
import test from 'node:test';
import { CoalescedReads } from './coalesced-reads.ts';

/** Reads that end when the test ends them; each returns the number of reads so far. */
function pendingReads() {
  const pending: { end: () => void; fail: (error: Error) => void }[] = [];
  const read = () => {
    const { promise, resolve, reject } = Promise.withResolvers<number>();
    const begun = pending.push({ end: () => resolve(begun), fail: reject });
    return promise;
  };
  return { held: pending, read };
}

test('a call during a read shares the next one, which begins after it', async () => {
  const reads = new CoalescedReads<number>();
  const { held: pending, read } = pendingReads();
  const first = reads.find('a', read);
  const later = [reads.find('a', read), reads.find('a', read)];
  assert.equal(pending.length, 1);
  pending[0]?.end();
  assert.equal(await first, 1);
  const last = reads.find('a', read);
  assert.equal(pending.length, 2);
  pending[1]?.end();
  assert.deepEqual(await Promise.all(later), [2, 2]);
  pending[2]?.end();
  assert.equal(await last, 3);
});

test('a failed read fails for all who share it, and the next one still runs', async () => {
  const reads = new CoalescedReads<number>();
  const { held: pending, read } = pendingReads();
  const first = reads.find('a', read);
  const second = reads.find('a', read);
  pending[0]?.fail(new Error('away'));
  await assert.rejects(first, /away/);
  pending[1]?.end();
  assert.equal(await second, 2);
});

test('reads of different keys do not wait for each other', async () => {
  const reads = new CoalescedReads<number>();
  const { held: pending, read } = pendingReads();
  const [first, second] = [reads.find('a', read), reads.find('b', read)];
  assert.equal(pending.length, 2);
  pending[1]?.end();
  assert.equal(await second, 2);
  pending[0]?.end();
  assert.equal(await first, 1);
});

test('a key without current readers is read immediately', async () => {
  const reads = new CoalescedReads<number>();
  const read = async () => 1;
  await reads.find('a', read);
  const { held: pending, read: heldRead } = pendingReads();
  const found = reads.find('a', heldRead);
  assert.equal(pending.length, 1);
  pending[0]?.end();
  await found;
});

/** The machine of a worker is gone: whoever calls it waits. */
import test from 'node:test';
import { silenceSkip } from '../harness/own-cluster.ts';
import { loseWorker } from './lose-worker.ts';

export const runsOn = [];

test('a worker node falls silent under load and comes back', { skip: silenceSkip }, (t) =>
  loseWorker(t, { lose: (node) => node.fallSilent(), bringBack: (node) => node.speak() }),
);

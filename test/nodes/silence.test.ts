/** The machine of a worker node is unreachable: its callers wait. */
import test from 'node:test';
import { silenceSkip } from '../harness/own-cluster.ts';
import { loseWorker } from './lose-worker.ts';

export const runsOn = [];

test('a worker node falls silent under load and returns', { skip: silenceSkip }, (t) =>
  loseWorker(t, { lose: (node) => node.fallSilent(), bringBack: (node) => node.speak() }),
);

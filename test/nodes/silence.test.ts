/** The machine of a worker node is unreachable: its callers wait. */
import test from 'node:test';
import { packetDropSkip } from '../harness/own-cluster.ts';
import { loseWorker } from './lose-worker.ts';

export const runsOn = [];

test('a worker node falls silent under load and returns', { skip: packetDropSkip }, (t) =>
  loseWorker(t, { lose: (node) => node.dropPackets(), bringBack: (node) => node.passPackets() }),
);

/** A worker node of a cluster dies: connections to it are refused. */
import test from 'node:test';
import { ownClusterSkip } from '../harness/own-cluster.ts';
import { loseWorker } from './lose-worker.ts';

export const runsOn = ['cluster'];

test('a worker node dies under load and returns', { skip: ownClusterSkip }, (t) =>
  loseWorker(t, { lose: (node) => node.kill(), bringBack: (node) => node.start() }),
);

import assert from 'node:assert/strict';
import test from 'node:test';
import { loadConfig } from '../config.ts';
import { shareBytes } from './shares.ts';

const MIB = 1024 * 1024;
const SECRETS = { SECRET_KEY: Buffer.alloc(32, 7).toString('base64'), ADMIN_TOKEN: 'token' };

function bodiesWith(limit: string): number {
  return shareBytes({ config: loadConfig({ ...SECRETS, MEMORY_LIMIT: limit }) }, 'largeBodies');
}

test('shares grow and shrink with the limit', () => {
  assert.equal(bodiesWith('2424MiB'), 128 * MIB);
  assert.equal(bodiesWith('1412M'), 64 * MIB);
  assert.equal(bodiesWith('4448 MB'), 256 * MIB);
});

/**
 * The limit of `deliveries`: undici posts bodies to one target, with the concurrency that Tessera allows to one
 * webhook. It begins when the process starts, and serializes each body for its request.
 */
import { Pool } from 'undici';
import { deliveryRecord } from '../harness/sample-tenant.ts';

const { TARGET = '', COUNT = '', CONCURRENCY = '' } = process.env;
const pool = new Pool(TARGET, { connections: Number(CONCURRENCY) });
let left = Number(COUNT);

async function postInTurn(): Promise<void> {
  while (left > 0) {
    left -= 1;
    const { body } = await pool.request({
      method: 'POST',
      path: '/',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ data: deliveryRecord(left) }),
    });
    await body.text();
  }
}

console.log(`runs at ${TARGET}`);
process.once('SIGTERM', () => process.exit(0));
await Promise.all(Array.from({ length: Number(CONCURRENCY) }, postInTurn));
// Keeps the process running until it is stopped, like a server.
setInterval(() => {}, 60_000);

/**
 * The limit of `deliveries`: undici posting bodies to one target, as many at once as Tessera allows one webhook.
 * It begins as soon as it is started; each body is serialised for its own request.
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
// Stays until it is stopped, as servers do.
setInterval(() => {}, 60_000);

import { after } from 'node:test';
import { Connection } from 'rabbitmq-client';

/** URL of the broker for tests: TEST_AMQP_URL, or a local broker in CI. Null if there is none. */
export const AMQP_URL =
  process.env.TEST_AMQP_URL ?? (process.env.CI === 'true' ? 'amqp://guest:guest@127.0.0.1:5672' : null);

/** Reason to skip tests that need a broker; false if they can run. */
export const withoutBroker = AMQP_URL === null && 'no broker: set TEST_AMQP_URL';

/** Connects to the broker as another program would. The connection is closed after the file's tests. */
export function connectToBroker(): Connection {
  const connection = new Connection(AMQP_URL ?? '');
  connection.on('error', () => {});
  after(() => connection.unsafeDestroy());
  return connection;
}

/** Takes a message from a queue; null if the queue is empty or missing. */
export async function takeMessage(connection: Connection, queue: string) {
  const channel = await connection.acquire();
  try {
    return (await channel.basicGet({ queue, noAck: true })) ?? null;
  } catch {
    return null;
  } finally {
    await channel.close().catch(() => {});
  }
}

/** Deletes these queues of test tenants. */
export async function removeQueues(tenantCodes: readonly string[], queues = QUEUES): Promise<void> {
  const connection = connectToBroker();
  for (const code of tenantCodes) {
    for (const queue of queues) {
      await connection.queueDelete({ queue: `tessera.${code}.${queue}` });
      await connection.queueDelete({ queue: `tessera.${code}.${queue}.dead` });
    }
  }
  await connection.close();
}

const QUEUES = ['orders', 'invoices', 'others', 'in', 'out', 'pings', 'pongs'] as const;

import { after } from 'node:test';
import { Connection } from 'rabbitmq-client';

/** The broker that tests may use; continuous integration has one. */
export const AMQP_URL =
  process.env.TEST_AMQP_URL ?? (process.env.CI === 'true' ? 'amqp://guest:guest@127.0.0.1:5672' : null);

/** Why tests that need a broker are skipped, or false. */
export const withoutBroker = AMQP_URL === null && 'a broker needs TEST_AMQP_URL';

/** A client of the broker, as another program has it; it ends with the file's tests. */
export function connectToBroker(): Connection {
  const connection = new Connection(AMQP_URL ?? '');
  connection.on('error', () => {});
  after(() => connection.unsafeDestroy());
  return connection;
}

/** A message as the broker has it; null: there is none, or no such queue. */
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

/** Removes the queues of tests' tenants, which are called so. */
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

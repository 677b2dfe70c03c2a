/** Names of queues at the broker. */

/** A tenant's queue: `tessera.<tenant_code>.<queueName>`. */
export function brokerQueue(tenantCode: string, queue: string): string {
  return `tessera.${tenantCode}.${queue}`;
}

/** The queue for messages whose run has finally failed or that cannot be read. */
export function deadLetterQueue(queueName: string): string {
  return `${queueName}.dead`;
}

/** Names of queues at the broker. */

/** A tenant's queue: `tessera.<tenant_code>.<queueName>`. */
export function brokerQueue(tenantCode: string, queue: string): string {
  return `tessera.${tenantCode}.${queue}`;
}

/** The queue for messages whose run has finally failed or that cannot be read. */
export function deadLetterQueue(brokersName: string): string {
  return `${brokersName}.dead`;
}

/** Creates and reads subscribers. */
import { randomUUID } from 'node:crypto';
import type { TestTenant } from './test-app.ts';

type Api = Pick<TestTenant, 'api'>;

/** Returns the body of a subscriber with a unique address; `more` overrides fields. */
export function subscriberBody(more: object = {}) {
  return {
    first_name: 'Ada',
    last_name: 'Lovelace',
    email: `ada-${randomUUID()}@example.com`,
    active: true,
    lists: [] as string[],
    audiences: [] as string[],
    ...more,
  };
}

/** Creates a subscriber; returns its id and body. */
export async function createSubscriber({ api }: Api, more: object = {}) {
  const body = subscriberBody(more);
  const { id } = (await api.post('/api/subscribers', body)).body;
  return { id: String(id), body };
}

/** Returns a subscriber as GET returns it. */
export async function getSubscriber({ api }: Api, id: string) {
  return (await api.get(`/api/subscribers/${id}`)).body;
}

/** Subscribers as tests make them. */
import { randomUUID } from 'node:crypto';
import type { TestTenant } from './test-app.ts';

type Api = Pick<TestTenant, 'api'>;

/** The body of a subscriber with an address of its own; `more` says what is special. */
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

/** Creates a subscriber; returns its id and the body that it was made of. */
export async function createSubscriber({ api }: Api, more: object = {}) {
  const body = subscriberBody(more);
  const { id } = (await api.post('/api/subscribers', body)).body;
  return { id: String(id), body };
}

/** A subscriber as its GET shows it. */
export async function getSubscriber({ api }: Api, id: string) {
  return (await api.get(`/api/subscribers/${id}`)).body;
}

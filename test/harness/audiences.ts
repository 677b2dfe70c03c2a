/** Creates computed audiences. */
import { eventually } from './poll.ts';
import type { TestTenant } from './test-app.ts';

type Api = Pick<TestTenant, 'api'>;

/** Creates an audience with filters; returns its id. */
export async function createAudience({ api }: Api, filters: object | null, more: object = {}) {
  const { body } = await api.post('/api/audiences', { name: 'Computed', filters, ...more });
  return String(body.id);
}

/** Waits until the audience is computed; returns the audience. */
export function computed({ api }: Api, id: string, withinMs?: number) {
  const probe = async () => {
    const { body } = await api.get(`/api/audiences/${id}`);
    return body.computation?.state === 'current' ? body : null;
  };
  return eventually(`the members of audience ${id}`, probe, withinMs);
}

/** Returns the first names of an audience's members, in order. */
export async function membersOf({ api }: Api, id: string): Promise<string[]> {
  const filters = { audiences: { operation: 'eq', value: id } };
  const { results } = (await api.post('/api/subscribers/list', { page: 1, limit: 100, filters })).body;
  return results.map(({ first_name }: { first_name: string }) => first_name).sort();
}

/** Waits until the audience has exactly these members, and its count is correct. */
export function becomes({ api }: Api, id: string, names: readonly string[]): Promise<true> {
  const expected = JSON.stringify([...names].sort());
  let last = '';
  return eventually(`the members ${expected} of audience ${id}`, async () => {
    const members = await membersOf({ api }, id);
    const { subscriber_count: count } = (await api.get(`/api/audiences/${id}`)).body;
    last = `${JSON.stringify(members)}, counted ${count}`;
    return JSON.stringify(members) === expected && count === names.length ? (true as const) : null;
  }).catch((error: unknown) => {
    throw new Error(`They are ${last}.`, { cause: error });
  });
}

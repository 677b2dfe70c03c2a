/** Creates journeys and reads their enrollments, which the API calls states. */
import { sql } from 'kysely';
import type { MailTenant } from './mail.ts';
import { eventually } from './poll.ts';
import type { TestApp, TestTenant } from './test-app.ts';

type Api = Pick<TestTenant, 'api'>;

/** Returns the body of a journey with these steps; `more` overrides fields. */
export function journeyBody(steps: readonly object[], more: object = {}) {
  return { name: 'Welcome', active: true, trigger: { type: 'manual' }, steps, ...more };
}

/** Creates a journey; returns its id. */
export async function createJourney({ api }: Api, steps: readonly object[], more: object = {}) {
  return String((await api.post('/api/journeys', journeyBody(steps, more))).body.id);
}

/** Enrolls a subscriber; returns the id of the enrollment. */
export async function enter({ api }: Api, journeyId: string, subscriberId: string) {
  const body = { subscriber_id: subscriberId };
  return String((await api.post(`/api/journeys/${journeyId}/enter`, body)).body.state_id);
}

/** Returns an enrollment as GET returns it. */
export async function getState({ api }: Api, journeyId: string, stateId: string) {
  return (await api.get(`/api/journeys/${journeyId}/states/${stateId}`)).body;
}

/** Waits until an enrollment meets a condition; returns it. */
export function untilState(
  tenant: Api,
  journeyId: string,
  stateId: string,
  // biome-ignore lint/suspicious/noExplicitAny: tests assert on arbitrary fields.
  isMet: (state: any) => boolean,
) {
  return eventually('the state', async () => {
    const state = await getState(tenant, journeyId, stateId);
    return isMet(state) ? state : null;
  });
}

/** Waits until an enrollment has ended; returns it. */
export function untilEnded(tenant: Api, journeyId: string, stateId: string) {
  return untilState(tenant, journeyId, stateId, ({ status }) => status !== 'active');
}

/** Returns the outcomes of an enrollment's steps in order: `mail:sent wait:waited`. */
export function outcomesOf({ history }: { history: { step: string; outcome: string }[] }): string {
  return history.map(({ step, outcome }) => `${step}:${outcome}`).join(' ');
}

/** Lists the enrollments of a journey, newest first. */
export async function listStates({ api }: Api, journeyId: string, filters: object = {}) {
  const body = { page: 1, limit: 100, filters };
  return (await api.post(`/api/journeys/${journeyId}/states/list`, body)).body.results;
}

/** Creates a template with an active version; returns its id. `template` and `version` override fields. */
export async function createTemplate(
  { api, domain }: MailTenant,
  { template = {}, version = {} }: { template?: object; version?: object } = {},
) {
  const { id } = (
    await api.post('/api/templates', {
      name: 'Welcome',
      from_email: `shop@${domain}`,
      transactional: false,
      open_tracking: true,
      click_tracking: true,
      ...template,
    })
  ).body;
  await api.post(`/api/templates/${id}/versions`, {
    active: true,
    subject: 'Welcome {{subscriber.first_name}}',
    html_content: '<p>Hello {{subscriber.first_name}}. <a href="https://shop.example/seeds">Seeds</a></p>',
    ...version,
  });
  return String(id);
}

/** Returns a branch step; `to` has the keys of its next steps. */
export function branch(key: string, filters: object, to: { readonly met?: string; readonly unmet?: string }) {
  const branches = [...(to.met ? [['then', to.met]] : []), ...(to.unmet ? [['else', to.unmet]] : [])];
  return { key, type: 'branch', filters, ...Object.fromEntries(branches) };
}

/** Moves the times of a waiting enrollment back by `seconds`, as if they had passed. */
export async function passTime(
  { app }: Pick<TestApp, 'app'>,
  tenant: Api,
  [journeyId, stateId]: readonly [journeyId: string, stateId: string],
  seconds: number,
): Promise<void> {
  await untilState(tenant, journeyId, stateId, ({ due_at }) => due_at !== null);
  const { query } = app.platform.database.everyTenant('tests');
  // Calculated here, because a cluster allows no time arithmetic in an update.
  const { rows } = await sql<{ arrived_at: string; waits_until: string }>`
    select arrived_at, waits_until from journey_states where id = ${stateId} and due_at = waits_until`.execute(
    query,
  );
  for (const { arrived_at, waits_until } of rows) {
    const earlier = (moment: string) => new Date(new Date(moment).getTime() - seconds * 1000);
    const until = earlier(waits_until);
    await sql`update journey_states set arrived_at = ${earlier(arrived_at)}, waits_until = ${until}, due_at = ${until}
      where id = ${stateId} and due_at = waits_until`.execute(query);
  }
}

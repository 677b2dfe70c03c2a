/** Creates campaigns. */
import { randomUUID } from 'node:crypto';
import type { MailTenant } from './mail.ts';
import { eventually } from './poll.ts';
import { createSubscriber } from './subscribers.ts';
import type { TestTenant } from './test-app.ts';

type Api = Pick<TestTenant, 'api'>;

/** Returns the body of a campaign with a unique code; `more` overrides fields. */
export function campaignBody(more: object = {}) {
  return {
    code: `C-${randomUUID().toUpperCase()}`,
    name: 'Spring seeds',
    colour: '#0f766e',
    start_date: '2026-03-01',
    audience: 'Gardeners',
    ...more,
  };
}

/** Creates a campaign; returns its code. */
export async function createCampaign({ api }: Api, more: object = {}): Promise<string> {
  return (await api.post('/api/campaigns', campaignBody(more))).body.code;
}

/** Returns the path of a campaign's emails. */
export function emailsOf(code: string): string {
  return `/api/campaigns/${code}/emails`;
}

/** Returns the body of an email that is ready to send; `more` overrides fields. */
export function emailBody({ domain }: Pick<MailTenant, 'domain'>, more: object = {}) {
  return {
    name: 'First',
    subject: 'Seeds for {{subscriber.first_name}}',
    status: 'Ready',
    from_email: `shop@${domain}`,
    content: {
      html: '<p>Hello {{subscriber.first_name}}. <a href="https://shop.example/seeds">Seeds</a></p>',
    },
    ...more,
  };
}

/** Adds an email to a campaign; returns its path and id. */
export async function createEmail(tenant: MailTenant, code: string, more: object = {}) {
  const { id } = (await tenant.api.post(emailsOf(code), emailBody(tenant, more))).body;
  return { id: String(id), path: `${emailsOf(code)}/${id}` };
}

/** Creates a list of `count` subscribers with addresses `p0…`, `p1…`; `more` overrides fields of each. */
export async function createListOf({ api }: Api, count: number, more: object = {}) {
  const { id: listId } = (await api.post('/api/lists', { name: 'Newsletter' })).body;
  const tag = randomUUID().slice(0, 8);
  const subscribers: { id: string; email: string }[] = [];
  for (let n = 0; n < count; n += 1) {
    const email = `p${n}-${tag}@example.com`;
    const { id } = await createSubscriber({ api }, { email, lists: [listId], first_name: `P${n}`, ...more });
    subscribers.push({ id, email });
  }
  return { listId: String(listId), subscribers };
}

/** Imports `count` subscribers of ten domains into a new list. */
export async function importList({ api }: Api, count: number): Promise<string> {
  const { id: listId } = (await api.post('/api/lists', { name: 'All' })).body;
  const lines = Array.from({ length: count }, (_, n) => `p${n}@domain${n % 10}.example,P${n}`);
  const path = `/api/subscribers/import?mode=insert&list_id=${listId}`;
  const { body } = await api.post(path, undefined, 200, {
    rawBody: `email,first_name\n${lines.join('\n')}\n`,
    headers: { 'content-type': 'text/csv' },
  });
  const isDone = async () =>
    (await api.get(`/api/subscribers/import/${body.import_id}`)).body.created === count;
  await eventually('the import', isDone, 180_000);
  return String(listId);
}

/** Waits until an email has this status; returns it as GET returns it. */
export function waitForStatus({ api }: Api, path: string, status: string, withinMs = 30_000) {
  return eventually(
    `the email to be ${status}`,
    async () => {
      const { body } = await api.get(path);
      return body.status === status ? body : null;
    },
    withinMs,
  );
}

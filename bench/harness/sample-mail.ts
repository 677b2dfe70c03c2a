/** Mail for benchmarks: a personalized template of 4 kB, tracked and signed. */
import { type Client, createClient } from '../../test/harness/client.ts';

/** A tenant's client and its template. */
export interface MailSender {
  readonly api: Client;
  readonly templateId: string;
}

/** Gives a tenant a verified sending domain and a template. */
export async function createMailSender(
  url: string,
  {
    adminToken,
    code,
    apiKey,
  }: { readonly adminToken: string; readonly code: string; readonly apiKey: string },
): Promise<MailSender> {
  const domain = `${code}.example`;
  const admin = createClient(url, { authorization: `Bearer ${adminToken}` });
  await admin.post(`/admin/tenants/${code}/sending-domains`, { domain, verified: true });
  const api = createClient(url, { 'x-api-key': apiKey });
  return { api, templateId: await createTemplate(api, `shop@${domain}`) };
}

const PARAGRAPH = `<p style="margin: 0 0 16px">{{first_name}}, the {{uppercase product}} that you looked at is
  back in our shop in {{city}}, and until Sunday it costs {{price}} instead of {{full_price}}.
  {{#if member}}As a member you save another tenth.{{else}}Members save another tenth.{{/if}}
  <a href="https://shop.example/p/{{product}}?utm_source=mail&amp;utm_campaign=back">Have a look</a></p>`;

async function createTemplate(api: Client, from: string): Promise<string> {
  const tracking = { open_tracking: true, click_tracking: true };
  const template = { name: 'Back in stock', from_email: from, transactional: false };
  const { id } = (await api.post('/api/templates', { ...template, ...tracking })).body;
  await api.post(`/api/templates/${id}/versions`, {
    active: true,
    subject: '{{first_name}}, the {{product}} is back',
    html_content: `<html><body><h1>Hello {{first_name}}</h1>${PARAGRAPH.repeat(8)}<p><a href="{{unsubscribe_url}}">Unsubscribe</a></p></body></html>`,
    plain_content: 'Hello {{first_name}}, the {{product}} is back. Unsubscribe: {{unsubscribe_url}}',
  });
  return id;
}

/** Returns the body of a transmission to `count` recipients. */
export function transmissionTo(count: number, templateId: string): object {
  return {
    options: { transactional: false },
    recipients: Array.from({ length: count }, (_, n) => ({
      address: { email: `reader${n}@domain${n % 50}.example`, name: `Reader ${n}` },
      substitution_data: { first_name: `Reader ${n}`, city: `City ${n % 97}`, member: n % 3 === 0 },
    })),
    content: { template_id: templateId },
    substitution_data: { product: 'lamp', price: '40 €', full_price: '60 €' },
  };
}

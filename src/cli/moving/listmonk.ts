/** Import from listmonk: an installation at an address, or its export of subscribers. */
import Type, { type Static, type TSchema } from 'typebox';
import Value from 'typebox/value';
import {
  type ListmonkApi,
  ListmonkCampaign,
  ListmonkList,
  ListmonkTemplate,
  openListmonk,
  PAGE_SIZE,
} from './listmonk-api.ts';
import { type ImportedList, importAllSubscribers } from './listmonk-subscribers.ts';
import { CONTENT, convertTemplate } from './listmonk-template.ts';
import { importOnce, type Move } from './move.ts';
import { createRecord } from './subscriber-file.ts';

const COLOUR = '#0f766e';
const MAX_CODE = 64;
const Named = Type.Object({ name: Type.String() });

/** Imports lists, subscribers, templates and campaigns of the listmonk at an address. Campaigns become drafts. */
export async function importListmonk(move: Move): Promise<void> {
  const api = openListmonk(move.from, move.token);
  const lists = await importLists(move, api);
  await importAllSubscribers(move, api, lists);
  const templates = readItems(move, 'template', ListmonkTemplate, await api.readAll('/api/templates'));
  for (const template of templates) await importTemplate(move, template);
  for (let page = 1; ; page++) {
    const items = await api.page('/api/campaigns', page);
    for (const campaign of readItems(move, 'campaign', ListmonkCampaign, items))
      await importCampaign(move, campaign, templates, lists);
    if (items.length < PAGE_SIZE) return;
  }
}

/** Returns the items that have the types of listmonk, and reports the others. */
function readItems<S extends TSchema>(
  { report }: Move,
  kind: string,
  schema: S,
  items: readonly unknown[],
): Static<S>[] {
  return items.filter((item) => {
    const isRead = Value.Check(schema, item);
    if (!isRead)
      report.skip(
        `${kind} ${Value.Check(Named, item) ? item.name : ''}`.trim(),
        'the data has unexpected types',
      );
    return isRead;
  });
}

async function importLists(move: Move, api: ListmonkApi): Promise<ReadonlyMap<number, ImportedList>> {
  const imported = new Map<number, ImportedList>();
  for (let page = 1; ; page++) {
    const items = await api.page('/api/lists', page);
    for (const list of readItems(move, 'list', ListmonkList, items)) {
      const { name, description = '' } = list;
      const id = await importOnce(move, { kind: 'lists', key: `list:${list.id}`, name: `list ${name}` }, () =>
        createRecord(move.target, '/api/lists', { name, ...(description === '' ? {} : { description }) }),
      );
      imported.set(list.id, { list, id });
    }
    if (items.length < PAGE_SIZE) return imported;
  }
}

async function importTemplate(move: Move, template: ListmonkTemplate): Promise<void> {
  const { target, report, fromEmail } = move;
  const name = `template ${template.name}`;
  const [html, subject] = [convertTemplate(template.body), convertTemplate(template.subject)];
  if ('unsupported' in html) return report.skip(name, `${html.unsupported} has no counterpart`);
  if ('unsupported' in subject) return report.skip(name, `${subject.unsupported} has no counterpart`);
  if (fromEmail === undefined)
    return report.skip(name, 'needs a sender: --from-email ADDRESS of a verified domain');
  const id = await importOnce(move, { kind: 'templates', key: `template:${template.id}`, name }, () =>
    createRecord(target, '/api/templates', {
      name: template.name,
      from_email: fromEmail,
      transactional: template.type === 'tx',
    }),
  );
  if (id === null) return;
  await importOnce(move, { kind: 'template versions', key: `template:${template.id}:version`, name }, () =>
    createRecord(target, `/api/templates/${id}/versions`, {
      active: true,
      subject: subject.text === '' ? template.name : subject.text,
      html_content: html.text,
      generate_plain_content: true,
    }),
  );
}

async function importCampaign(
  move: Move,
  campaign: ListmonkCampaign,
  templates: readonly ListmonkTemplate[],
  lists: ReadonlyMap<number, ImportedList>,
): Promise<void> {
  const { target, report, fromEmail } = move;
  const name = `campaign ${campaign.name}`;
  const content = contentOf(campaign, templates);
  if ('problem' in content) return report.skip(name, content.problem);
  const subject = convertTemplate(campaign.subject);
  if ('unsupported' in subject) return report.skip(name, `${subject.unsupported} has no counterpart`);
  const code = `LISTMONK-${campaign.id}`.slice(0, MAX_CODE);
  const key = `campaign:${campaign.id}`;
  const created = await importOnce(move, { kind: 'campaigns', key, name }, async () => {
    const audience = 'Lists of listmonk';
    const body = { code, name: campaign.name, colour: COLOUR, start_date: campaign.created_at, audience };
    await target.create('/api/campaigns', body);
    return code;
  });
  if (created === null) return;
  const listIds = campaign.lists.flatMap(({ id }) => lists.get(id)?.id ?? []);
  await importOnce(move, { kind: 'campaign emails, as drafts', key: `${key}:email`, name }, () =>
    createRecord(target, `/api/campaigns/${code}/emails`, {
      name: campaign.name,
      subject: subject.text,
      content,
      list_ids: listIds,
      ...(fromEmail === undefined ? {} : { from_email: fromEmail }),
    }),
  );
  if (['running', 'scheduled', 'paused'].includes(campaign.status))
    report.skip(`the state "${campaign.status}" of ${name}`, 'it is a draft here; schedule it again');
}

/** Returns the body of a campaign in its template, or the reason why there is no counterpart. */
function contentOf(
  campaign: ListmonkCampaign,
  templates: readonly ListmonkTemplate[],
):
  | { readonly html: string; readonly text?: string }
  | { readonly text: string }
  | { readonly problem: string } {
  if (!['richtext', 'html', 'visual', 'plain'].includes(campaign.content_type))
    return { problem: `content of the type ${campaign.content_type} is not supported` };
  const body = convertTemplate(campaign.body);
  if ('unsupported' in body) return { problem: `${body.unsupported} has no counterpart` };
  if (campaign.content_type === 'plain') return { text: body.text };
  const template = templates.find(({ id }) => id === campaign.template_id);
  const frame = convertTemplate(template?.body ?? CONTENT);
  if ('unsupported' in frame) return { problem: `${frame.unsupported} of its template has no counterpart` };
  const text = convertTemplate(campaign.altbody ?? '');
  // A function, because the body may contain the patterns of replacements.
  const html = frame.text.includes(CONTENT) ? frame.text.replace(CONTENT, () => body.text) : body.text;
  return { html, ...('text' in text && text.text !== '' ? { text: text.text } : {}) };
}

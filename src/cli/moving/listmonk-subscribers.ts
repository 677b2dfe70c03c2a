/** Subscribers of listmonk: their data, lists and suppressions. */
import Value from 'typebox/value';
import { type ListmonkApi, type ListmonkList, ListmonkSubscriber, PAGE_SIZE } from './listmonk-api.ts';
import type { Move } from './move.ts';
import { importSubscriberFile } from './subscriber-file.ts';

/** A list, and its id in Tessera; null in a dry run. */
export interface ImportedList {
  readonly list: ListmonkList;
  readonly id: string | null;
}

/** Imports all subscribers, page by page. */
export async function importAllSubscribers(move: Move, api: ListmonkApi, lists: Lists): Promise<void> {
  for (let page = 1; ; page++) {
    const items = await api.page('/api/subscribers', page);
    const subscribers = items.filter((item) => Value.Check(ListmonkSubscriber, item));
    if (subscribers.length < items.length)
      move.report.skip(
        `${items.length - subscribers.length} subscribers of page ${page}`,
        'the data has unexpected types',
      );
    await importPage(move, subscribers, lists);
    if (items.length < PAGE_SIZE) return;
  }
}

type Lists = ReadonlyMap<number, ImportedList>;

async function importPage(
  move: Move,
  subscribers: readonly ListmonkSubscriber[],
  lists: Lists,
): Promise<void> {
  const { report, isApplied } = move;
  const withStatus = subscribers.map((subscriber) => ({
    ...subscriber,
    status: statusOf(subscriber, lists),
  }));
  const unsubscribed = withStatus.filter(({ status }) => status === 'unsubscribed');
  const others = withStatus.filter(({ status }) => status !== 'unsubscribed');
  for (const status of ['unsubscribed', 'blocklisted', 'unconfirmed']) {
    const count = withStatus.filter((each) => each.status === status).length;
    if (count > 0) report.count(`of them ${status}, who cannot be mailed`, count);
  }
  if (!isApplied) return report.count('subscribers', subscribers.length);
  await importSubscribers(move, unsubscribed, { suppress: 'unsubscribe' });
  await importSubscribers(move, others, {});
  for (const [listId, imported] of lists) {
    const emails = subscribers
      .filter((subscriber) => subscriber.lists.some((each) => each.id === listId && isMailed(each, imported)))
      .map(({ email }) => email);
    if (emails.length > 0 && imported.id !== null)
      await move.target.send('POST', `/api/lists/${imported.id}/members`, { emails });
  }
}

/** Returns the status of a subscriber; if it is enabled but no list may mail it, `unsubscribed` or `unconfirmed`. */
function statusOf({ status, lists: memberships }: ListmonkSubscriber, lists: Lists): string {
  const isReached = memberships.some((each) => {
    const imported = lists.get(each.id);
    return imported !== undefined && isMailed(each, imported);
  });
  if (status !== 'enabled' || isReached || memberships.length === 0) return status;
  const isUnsubscribed = memberships.some((each) => each.subscription_status === 'unsubscribed');
  return isUnsubscribed ? 'unsubscribed' : 'unconfirmed';
}

/** True if listmonk mails the list to the subscriber. Unconfirmed ones count, unless the list uses double opt-in. */
function isMailed(
  { subscription_status: status }: { subscription_status: string },
  { list }: ImportedList,
): boolean {
  return status === 'confirmed' || (status === 'unconfirmed' && list.optin !== 'double');
}

async function importSubscribers(
  { target, report }: Move,
  subscribers: readonly (Omit<ListmonkSubscriber, 'status'> & { readonly status: string })[],
  options: Readonly<Record<string, string>>,
): Promise<void> {
  if (subscribers.length === 0) return;
  const rows = subscribers.map(({ email, name, attribs, status }) =>
    [email, name.replaceAll(/\s+/g, ' '), JSON.stringify(attribs ?? {}), status].map(toCell).join(','),
  );
  const csv = new Blob([['email,name,attributes,status', ...rows].join('\n')]);
  const { imported, errors, failed } = await importSubscriberFile(
    target,
    { source: 'listmonk', ...options },
    csv,
  );
  report.count('subscribers', imported);
  // The header is line 1, and no cell has a line break.
  for (const { line, message } of errors)
    report.skip(subscribers[line - 2]?.email ?? `line ${line}`, message);
  if (failed > errors.length)
    report.skip(`${failed - errors.length} more subscribers`, 'rejected like those above');
}

function toCell(text: string): string {
  return `"${text.replaceAll(/[\r\n]+/g, ' ').replaceAll('"', '""')}"`;
}

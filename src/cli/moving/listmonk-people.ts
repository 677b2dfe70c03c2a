/** Subscribers of listmonk: their data, lists and suppressions. */
import Value from 'typebox/value';
import { type ListmonkApi, type ListmonkList, ListmonkSubscriber, PAGE_SIZE } from './listmonk-api.ts';
import type { Move } from './move.ts';
import { importSubscriberFile } from './subscriber-file.ts';

/** A list, and its id in Tessera; null in a dry run. */
export interface CarriedList {
  readonly list: ListmonkList;
  readonly id: string | null;
}

/** Imports all subscribers, page by page. */
export async function carrySubscribers(move: Move, api: ListmonkApi, lists: Lists): Promise<void> {
  for (let page = 1; ; page++) {
    const items = await api.page('/api/subscribers', page);
    const people = items.filter((item) => Value.Check(ListmonkSubscriber, item));
    if (people.length < items.length)
      move.report.leave(
        `${items.length - people.length} subscribers of page ${page}`,
        'the data has other types than listmonk has',
      );
    await carryPage(move, people, lists);
    if (items.length < PAGE_SIZE) return;
  }
}

type Lists = ReadonlyMap<number, CarriedList>;

async function carryPage(move: Move, people: readonly ListmonkSubscriber[], lists: Lists): Promise<void> {
  const { report, isApplied } = move;
  const withStatus = people.map((person) => ({ ...person, status: statusOf(person, lists) }));
  const unsubscribed = withStatus.filter(({ status }) => status === 'unsubscribed');
  const others = withStatus.filter(({ status }) => status !== 'unsubscribed');
  for (const status of ['unsubscribed', 'blocklisted', 'unconfirmed']) {
    const count = withStatus.filter((each) => each.status === status).length;
    if (count > 0) report.count(`of them ${status}, who cannot be mailed`, count);
  }
  if (!isApplied) return report.count('subscribers', people.length);
  await importPeople(move, unsubscribed, { suppress: 'unsubscribe' });
  await importPeople(move, others, {});
  for (const [listId, carried] of lists) {
    const emails = people
      .filter((person) => person.lists.some((each) => each.id === listId && isMailed(each, carried)))
      .map(({ email }) => email);
    if (emails.length > 0 && carried.id !== null)
      await move.target.send('POST', `/api/lists/${carried.id}/members`, { emails });
  }
}

/** Returns the status of a subscriber; if it is enabled but no list may mail it, `unsubscribed` or `unconfirmed`. */
function statusOf({ status, lists: memberships }: ListmonkSubscriber, lists: Lists): string {
  const isReached = memberships.some((each) => {
    const carried = lists.get(each.id);
    return carried !== undefined && isMailed(each, carried);
  });
  if (status !== 'enabled' || isReached || memberships.length === 0) return status;
  const isUnsubscribed = memberships.some((each) => each.subscription_status === 'unsubscribed');
  return isUnsubscribed ? 'unsubscribed' : 'unconfirmed';
}

/** True if listmonk mails the list to the subscriber. Unconfirmed ones count, unless the list uses double opt-in. */
function isMailed(
  { subscription_status: status }: { subscription_status: string },
  { list }: CarriedList,
): boolean {
  return status === 'confirmed' || (status === 'unconfirmed' && list.optin !== 'double');
}

async function importPeople(
  { target, report }: Move,
  people: readonly (Omit<ListmonkSubscriber, 'status'> & { readonly status: string })[],
  options: Readonly<Record<string, string>>,
): Promise<void> {
  if (people.length === 0) return;
  const rows = people.map(({ email, name, attribs, status }) =>
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
  for (const { line, message } of errors) report.leave(people[line - 2]?.email ?? `line ${line}`, message);
  if (failed > errors.length)
    report.leave(`${failed - errors.length} more subscribers`, 'rejected like those above');
}

function toCell(text: string): string {
  return `"${text.replaceAll(/[\r\n]+/g, ' ').replaceAll('"', '""')}"`;
}

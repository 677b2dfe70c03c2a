/**
 * Preparation of a step's mails for many subscribers: finds the recipients and renders each mail once to find errors.
 */

import { v7 as uuidv7 } from 'uuid';
import { normalizeAddress } from '../../../mail/address.ts';
import { oncePerPlatform, type Platform } from '../../../platform.ts';
import { wholeTenant } from '../../../tenancy/scope.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import { type EmailSettings, findRecipientRules, getEmailSettings } from '../../email-settings/api.ts';
import { type RenderResult, renderContent } from '../../mail/api.ts';
import { dryRunData, findMailSubscribers, type MailSubscriber } from '../../marketing/api.ts';
import type { JourneyRow } from '../resource.ts';
import type { StepOf } from '../schema.ts';
import { BatchLoader } from './batch-loader.ts';
import { type MailContent, readMailContent } from './mail-content.ts';
import { findOrCreateSending, sharedData } from './sendings.ts';

/** Maximum size of the previews that are in memory at the same time, in characters. A single mail may be larger. */
const MAX_PREVIEW_CHARS = 4 * 1024 * 1024;

/** A message that the acknowledging transaction writes. */
export interface PlannedMessage {
  readonly id: string;
  readonly sendingId: string;
  readonly step: string;
  readonly data: object;
}

/** Result of the preparation of one subscriber's mail. */
export type PreparedMail =
  | { readonly outcome: 'sent'; readonly message: PlannedMessage }
  | { readonly outcome: 'skipped' }
  | { readonly outcome: 'failed'; readonly error: string };

/** A mail step of a journey version. */
export interface MailRef {
  readonly tenantId: string;
  readonly journey: Pick<JourneyRow, 'id' | 'name' | 'owner_bu_id'>;
  /** Key of the version, from `planKey`. */
  readonly planKey: string;
  readonly step: StepOf<'send_email'>;
}

interface Recipient {
  readonly subscriberId: string;
  readonly trigger: object | null;
}

const mails = oncePerPlatform(() => new BatchLoader<Recipient, PreparedMail>());

/** Renders a subscriber's mail as a dry run, unless a rule suppresses it. The sender renders it again later. */
export function prepareMail(platform: Platform, ref: MailRef, recipient: Recipient): Promise<PreparedMail> {
  const { tenantId, planKey, step } = ref;
  return mails(platform).load(`${tenantId}/${planKey}/${step.key}`, recipient, (recipients) =>
    prepareAll(platform, ref, recipients),
  );
}

async function prepareAll(
  platform: Platform,
  { tenantId, journey, step }: MailRef,
  recipients: readonly Recipient[],
): Promise<readonly PreparedMail[]> {
  const db = platform.scoped(wholeTenant(tenantId));
  const mail = await readMailContent(platform, db, step);
  if (typeof mail === 'string') return recipients.map(() => ({ outcome: 'failed', error: mail }));
  const settings = await getEmailSettings(db);
  const subscribers = await findRecipients(platform, db, settings, mail, recipients);
  const included = recipients.filter(({ subscriberId }) => subscribers.has(subscriberId));
  if (included.length === 0) return recipients.map(() => ({ outcome: 'skipped' }));
  const sendingId = await findOrCreateSending(platform, db, journey, step.key, mail);
  const planned = new Map(
    included.map((recipient) => [
      recipient,
      {
        id: uuidv7({ msecs: platform.clock().getTime() }),
        sendingId,
        step: step.key,
        data: { trigger: recipient.trigger ?? {} },
      },
    ]),
  );
  const faults = await findFaults(platform, db, {
    mail,
    shared: sharedData(journey),
    step: step.key,
    recipients: included.flatMap((recipient) => {
      const subscriber = subscribers.get(recipient.subscriberId);
      return subscriber ? [{ subscriber, trigger: recipient.trigger }] : [];
    }),
  });
  const faultByRecipient = new Map(included.map((recipient, index) => [recipient, faults[index] ?? null]));
  return recipients.map((recipient): PreparedMail => {
    const message = planned.get(recipient);
    if (message === undefined) return { outcome: 'skipped' };
    const error = faultByRecipient.get(recipient) ?? null;
    return error === null ? { outcome: 'sent', message } : { outcome: 'failed', error };
  });
}

/** Returns a rendering error or null for each recipient, in order. Renders in batches, as mails may be large. */
async function findFaults(
  platform: Platform,
  db: ScopedDb,
  mails: MailsToRender,
): Promise<readonly (string | null)[]> {
  const data = mails.recipients.map((recipient) => dataOf(platform, db, mails, recipient));
  const faults: (string | null)[] = [];
  while (faults.length < data.length) {
    const results = await renderAll(platform, db, mails, data.slice(faults.length), MAX_PREVIEW_CHARS);
    faults.push(...results.map((result) => (result.ok ? null : result.error.message)));
  }
  return faults;
}

/** Finds the subscribers that may receive the mail, by id (docs/specification/campaigns.md#who-receives). */
async function findRecipients(
  platform: Platform,
  db: ScopedDb,
  settings: EmailSettings,
  mail: MailContent,
  recipients: readonly Recipient[],
): Promise<ReadonlyMap<string, MailSubscriber>> {
  const ids = [...new Set(recipients.map(({ subscriberId }) => subscriberId))];
  const subscribers = [...(await findMailSubscribers(db, ids, mail.subscriptionTypeId)).values()].filter(
    ({ active, is_unsubscribed }) => active && !is_unsubscribed,
  );
  const withAddress = subscribers.map((subscriber) => ({
    subscriber,
    address: normalizeAddress(subscriber.email),
  }));
  const addresses = withAddress.map(({ address }) => address);
  const rules = await findRecipientRules(platform, db, settings, addresses, mail);
  return new Map(
    withAddress.flatMap(({ subscriber, address }) =>
      rules.has(address) ? [] : [[subscriber.id, subscriber]],
    ),
  );
}

/** Mails to render. */
export interface MailsToRender {
  readonly mail: MailContent;
  readonly shared: object;
  readonly step: string;
  readonly recipients: readonly MailTarget[];
}

/** A recipient with the data of the trigger. */
interface MailTarget {
  readonly subscriber: MailSubscriber;
  readonly trigger: object | null;
}

/** Renders previews of mails, in the order of the recipients. Their links have no effect. */
export function renderMails(
  platform: Platform,
  db: ScopedDb,
  mails: MailsToRender,
): Promise<readonly RenderResult[]> {
  const data = mails.recipients.map((recipient) => dataOf(platform, db, mails, recipient));
  return renderAll(platform, db, mails, data);
}

/** Template data of one recipient for a dry run or a preview; the links have no effect. */
function dataOf(
  platform: Platform,
  db: ScopedDb,
  { mail, step }: MailsToRender,
  { subscriber, trigger }: MailTarget,
): object {
  const { isTransactional, subscriptionTypeId } = mail;
  const linkInfo = { emailId: step, sentAt: platform.clock(), subscriptionTypeId };
  return {
    trigger: trigger ?? {},
    ...dryRunData(platform, db, subscriber, { ...linkInfo, isTransactional }),
  };
}

function renderAll(
  platform: Platform,
  { tenantId }: ScopedDb,
  { mail, shared: sharedData }: MailsToRender,
  data: readonly object[],
  maxCharacters?: number,
): Promise<RenderResult[]> {
  const options = { tenantId, sharedData, ...(maxCharacters === undefined ? {} : { maxCharacters }) };
  return renderContent(platform, mail.content, data, options);
}

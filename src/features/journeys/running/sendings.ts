import { LRUCache } from 'lru-cache';
import { v7 as uuidv7 } from 'uuid';
import { oncePerPlatform, type Platform } from '../../../platform.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import { beginSending } from '../../transmissions/index.ts';
import type { JourneyRow } from '../resource.ts';
import { fingerprintOf, type MailContent } from './mail-content.ts';

/** Sendings whose ids are remembered. */
const REMEMBERED = 1000;

const known = oncePerPlatform(() => new LRUCache<string, string>({ max: REMEMBERED }));

/** What mails of a journey see of it; `campaign` is there so that a template of campaigns can be used. */
export function sharedData({ id, name }: Pick<JourneyRow, 'id' | 'name'>): object {
  const campaign = { code: '', name, goal: '', audience: '', start_date: '', end_date: '' };
  return { journey: { id, name }, campaign };
}

/** The id of the transmission to which the mails of a step belong as long as their content stays the same. */
export async function findSending(
  platform: Platform,
  db: ScopedDb,
  journey: Pick<JourneyRow, 'id' | 'name' | 'owner_bu_id'>,
  step: string,
  mail: MailContent,
): Promise<string> {
  const data = sharedData(journey);
  const key = { journey_id: journey.id, step, fingerprint: fingerprintOf(mail, data) };
  const cacheKey = [db.tenantId, ...Object.values(key)].join('/');
  const id = known(platform).get(cacheKey) ?? (await findOrBegin(platform, db, { journey, mail, data, key }));
  known(platform).set(cacheKey, id);
  return id;
}

interface NewSending {
  readonly journey: Pick<JourneyRow, 'id' | 'name' | 'owner_bu_id'>;
  readonly mail: MailContent;
  readonly data: object;
  readonly key: { readonly journey_id: string; readonly step: string; readonly fingerprint: string };
}

async function findOrBegin(
  platform: Platform,
  db: ScopedDb,
  { journey, mail, data, key }: NewSending,
): Promise<string> {
  return db.transaction(async (tx) => {
    const id = uuidv7();
    const made = await tx.query
      .insertInto('journey_sendings')
      .values({ tenant_id: tx.tenantId, ...key, transmission_id: id })
      .onConflict((conflict) => conflict.doNothing())
      .returning('transmission_id')
      .executeTakeFirst();
    if (made === undefined) {
      const there = await tx.query
        .selectFrom('journey_sendings')
        .select('transmission_id')
        .where('journey_id', '=', key.journey_id)
        .where('step', '=', key.step)
        .where('fingerprint', '=', key.fingerprint)
        .executeTakeFirstOrThrow();
      return there.transmission_id;
    }
    const { subscriptionTypeId, ...rest } = mail;
    const sending = {
      ...rest,
      ...{ id, data, ownerBuId: journey.owner_bu_id, campaignId: journey.id, isOngoing: true as const },
      description: `${key.step} of ${journey.name}`.slice(0, 1000),
      campaign: { code: journey.id, emailId: key.step, subscriptionTypeId },
    };
    await beginSending(tx, sending, platform.clock());
    return id;
  });
}

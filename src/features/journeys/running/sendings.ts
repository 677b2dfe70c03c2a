import { LRUCache } from 'lru-cache';
import { v7 as uuidv7 } from 'uuid';
import { oncePerPlatform, type Platform } from '../../../platform.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import { sendings } from '../../mail/api.ts';
import type { JourneyRow } from '../resource.ts';
import { fingerprintOf, type MailContent } from './mail-content.ts';

/** Maximum number of transmission ids in the cache. */
const MAX_CACHED_IDS = 1000;

const cachedIds = oncePerPlatform(() => new LRUCache<string, string>({ max: MAX_CACHED_IDS }));

/** Template data of a journey. `campaign`, with only a name, lets journeys use templates of campaigns. */
export function sharedData({ id, name }: Pick<JourneyRow, 'id' | 'name'>): object {
  const campaign = { code: '', name, goal: '', audience: '', start_date: '', end_date: '' };
  return { journey: { id, name }, campaign };
}

/** Finds or creates the transmission of a step's mails, and returns its id. Changed content gets a new transmission. */
export async function findOrCreateSending(
  platform: Platform,
  db: ScopedDb,
  journey: Pick<JourneyRow, 'id' | 'name' | 'owner_bu_id'>,
  step: string,
  mail: MailContent,
): Promise<string> {
  const data = sharedData(journey);
  const key = { journey_id: journey.id, step, fingerprint: fingerprintOf(mail, data) };
  const cacheKey = [db.tenantId, ...Object.values(key)].join('/');
  const id =
    cachedIds(platform).get(cacheKey) ?? (await insertOrFind(platform, db, { journey, mail, data, key }));
  cachedIds(platform).set(cacheKey, id);
  return id;
}

interface NewSending {
  readonly journey: Pick<JourneyRow, 'id' | 'name' | 'owner_bu_id'>;
  readonly mail: MailContent;
  readonly data: object;
  readonly key: { readonly journey_id: string; readonly step: string; readonly fingerprint: string };
}

async function insertOrFind(
  platform: Platform,
  db: ScopedDb,
  { journey, mail, data, key }: NewSending,
): Promise<string> {
  return db.transaction(async (tx) => {
    const id = uuidv7();
    const inserted = await tx.query
      .insertInto('journey_sendings')
      .values({ tenant_id: tx.tenantId, ...key, transmission_id: id })
      .onConflict((conflict) => conflict.doNothing())
      .returning('transmission_id')
      .executeTakeFirst();
    if (inserted === undefined) {
      const existing = await tx.query
        .selectFrom('journey_sendings')
        .select('transmission_id')
        .where('journey_id', '=', key.journey_id)
        .where('step', '=', key.step)
        .where('fingerprint', '=', key.fingerprint)
        .executeTakeFirstOrThrow();
      return existing.transmission_id;
    }
    const { subscriptionTypeId, ...rest } = mail;
    const sending = {
      ...rest,
      id,
      data,
      ownerBuId: journey.owner_bu_id,
      campaignId: journey.id,
      isOngoing: true as const,
      description: `${key.step} of ${journey.name}`.slice(0, 1000),
      campaign: { code: journey.id, emailId: key.step, subscriptionTypeId },
    };
    await sendings.beginSending(tx, sending, platform.clock());
    return id;
  });
}

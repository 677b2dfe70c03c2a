/** Route options and fields shared by the email settings (docs/specification/email-settings.md#limits). */
import Type from 'typebox';
import type { RateLimit } from '../../http/route.ts';
import { time } from '../../resources/fields.ts';

/** Email settings belong to the whole tenant, so only a role in Default counts. */
const DEFAULT_ADMIN = { access: 'admin', accessUnit: 'default' } as const;

/** All GETs of the area share 100 calls a minute; 600 of a browser session. */
export const readOptions = {
  ...routeOptions('read', { limit: 100, sessionLimit: 600 }),
  access: 'member',
} as const;
/** All PUTs and POSTs of the area share 20 calls a minute; 300 of a browser session. */
export const writeOptions = {
  ...routeOptions('write', { limit: 20, sessionLimit: 300 }),
  ...DEFAULT_ADMIN,
};
/** All DELETEs of the area share 10 calls a minute; 300 of a browser session. */
export const deleteOptions = {
  ...routeOptions('delete', { limit: 10, sessionLimit: 300 }),
  ...DEFAULT_ADMIN,
};

function routeOptions(kind: string, limits: Pick<RateLimit, 'limit' | 'sessionLimit'>) {
  const rateLimit = { windowSeconds: 60, per: 'caller', ...limits, group: `email-settings.${kind}` } as const;
  return { tag: 'Email settings', envelope: 'wrapped', rateLimit } as const;
}

/** A time that the platform writes. */
export const dateTime = time(Type.String({ format: 'date-time' }), { writes: 'platform' });

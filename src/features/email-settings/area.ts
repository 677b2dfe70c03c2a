/** Route options and fields shared by the email settings (docs/specification/email-settings.md#limits). */
import Type from 'typebox';
import type { RateLimit } from '../../http/route.ts';
import { time } from '../../resources/fields.ts';

/** All GETs of the area share 100 calls a minute; 600 of a browser session. */
export const readOptions = routeOptions('read', 'member', { limit: 100, sessionLimit: 600 });
/** All PUTs and POSTs of the area share 20 calls a minute; 300 of a browser session. */
export const writeOptions = routeOptions('write', 'admin', { limit: 20, sessionLimit: 300 });
/** All DELETEs of the area share 10 calls a minute; 300 of a browser session. */
export const deleteOptions = routeOptions('delete', 'admin', { limit: 10, sessionLimit: 300 });

function routeOptions<A extends 'member' | 'admin'>(
  kind: string,
  access: A,
  limits: Pick<RateLimit, 'limit' | 'sessionLimit'>,
) {
  const rateLimit = { windowSeconds: 60, per: 'caller', ...limits, group: `email-settings.${kind}` } as const;
  return { tag: 'Email settings', envelope: 'wrapped', access, rateLimit } as const;
}

/** A time that the platform writes. */
export const dateTime = time(Type.String({ format: 'date-time' }), { writes: 'platform' });

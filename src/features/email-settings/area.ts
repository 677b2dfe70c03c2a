/** Route options and fields shared by the email settings (docs/specification/email-settings.md#limits). */
import Type from 'typebox';
import { time } from '../../resources/fields.ts';

/** All GETs of the area share 100 calls a minute. */
export const readOptions = routeOptions('read', 'member', 100);
/** All PUTs and POSTs of the area share 20 calls a minute. */
export const writeOptions = routeOptions('write', 'admin', 20);
/** All DELETEs of the area share 10 calls a minute. */
export const deleteOptions = routeOptions('delete', 'admin', 10);

function routeOptions<A extends 'member' | 'admin'>(kind: string, access: A, limit: number) {
  const rateLimit = { windowSeconds: 60, per: 'caller', limit, group: `email-settings.${kind}` } as const;
  return { tag: 'Email settings', envelope: 'wrapped', access, rateLimit } as const;
}

/** A time that the platform writes. */
export const dateTime = time(Type.String({ format: 'date-time' }), { writes: 'platform' });

import { INVALID_TEMPLATE } from './errors.ts';

/** What the routes of templates have in common (document 2, Errors and Limits). */
const PER_MINUTE = { windowSeconds: 60, per: 'caller' } as const;
const area = { tag: 'E-mail templates', envelope: 'wrapped', invalid: INVALID_TEMPLATE } as const;

/** All GETs of the area share 100 calls a minute. */
export const reading = {
  ...area,
  access: 'member',
  rateLimit: { ...PER_MINUTE, limit: 100, group: 'templates.read' },
} as const;

/** All POSTs and PUTs of the area share 50 calls a minute. */
export const writing = {
  ...area,
  access: 'editor',
  rateLimit: { ...PER_MINUTE, limit: 50, group: 'templates.write' },
} as const;

/** All DELETEs of the area share 20 calls a minute. */
export const deleting = {
  ...area,
  access: 'admin',
  rateLimit: { ...PER_MINUTE, limit: 20, group: 'templates.delete' },
} as const;

/** Previews: 30 calls a minute. */
export const previewing = {
  ...area,
  access: 'viewer',
  rateLimit: { ...PER_MINUTE, limit: 30 },
} as const;

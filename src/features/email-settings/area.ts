/** What the routes of the e-mail settings have in common (document 2, Errors and Limits). */
const PER_MINUTE = { windowSeconds: 60, per: 'caller' } as const;
const area = { tag: 'Email settings', envelope: 'wrapped' } as const;

/** All GETs of the area share 100 calls a minute. */
export const reading = {
  ...area,
  access: 'member',
  rateLimit: { ...PER_MINUTE, limit: 100, group: 'email-settings.read' },
} as const;

/** All PUTs and POSTs of the area share 20 calls a minute. */
export const writing = {
  ...area,
  access: 'admin',
  rateLimit: { ...PER_MINUTE, limit: 20, group: 'email-settings.write' },
} as const;

/** All DELETEs of the area share 10 calls a minute. */
export const deleting = {
  ...area,
  access: 'admin',
  rateLimit: { ...PER_MINUTE, limit: 10, group: 'email-settings.delete' },
} as const;

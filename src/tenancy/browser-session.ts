const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;

/** A session ends this long after its sign-in. */
const LIFETIME_MS = 7 * DAY_MS;
const REMEMBERED_LIFETIME_MS = 30 * DAY_MS;
/** How long a verified password allows sensitive calls. */
const CONFIRMED_MS = 10 * 60 * 1000;

/** A browser session, stored in the tenant where its user signed in. */
export interface BrowserSession {
  readonly id: string;
  readonly tenantId: string;
  readonly userId: string;
  readonly createdAt: Date;
  readonly lastSeenAt: Date;
  readonly expiresAt: Date;
  /** Until then, sensitive calls need no password. */
  readonly confirmedUntil: Date;
  /** True for a session that does not end when it is idle. */
  readonly remember: boolean;
  /** The `session_hours` of its tenant: hours without a request after which it ends, unless it is remembered. */
  readonly idleHours: number;
}

/** Returns the time at which a session ends if its last request is at `now`. */
export function sessionExpiry(
  { createdAt, remember, idleHours }: Pick<BrowserSession, 'createdAt' | 'remember' | 'idleHours'>,
  now: Date,
): Date {
  const created = createdAt.getTime();
  return new Date(
    remember
      ? created + REMEMBERED_LIFETIME_MS
      : Math.min(created + LIFETIME_MS, now.getTime() + idleHours * HOUR_MS),
  );
}

/** Returns the time until which a password that was verified at `now` allows sensitive calls. */
export function confirmationExpiry(now: Date): Date {
  return new Date(now.getTime() + CONFIRMED_MS);
}

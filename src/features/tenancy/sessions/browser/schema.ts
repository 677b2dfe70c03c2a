import Type, { type Static } from 'typebox';
import { isZone } from '../../../../flows/time-zones.ts';
import { check, overlongFaults } from '../../../../http/body-checks.ts';
import { UserName } from '../../memberships/index.ts';

/** Body of a sign-in. It has no format rules for address and password: an invalid one is just unknown. */
export const BrowserSignIn = Type.Object(
  {
    email: Type.String({ minLength: 1, maxLength: 254 }),
    password: Type.String({ minLength: 1, maxLength: 1000 }),
    remember: Type.Optional(Type.Boolean({ description: 'True: the session lasts 30 days.' })),
  },
  { title: 'BrowserSignIn' },
);
/** Validated body of a sign-in from a browser. */
export type BrowserSignIn = Static<typeof BrowserSignIn>;

const Nullable = Type.Union([Type.String(), Type.Null()]);

/** A user, with the settings that apply in all of the user's tenants. */
export const SessionUser = Type.Object(
  {
    id: Type.String(),
    email: Type.String(),
    name: Type.String(),
    locale: Nullable,
    time_zone: Nullable,
    preferences: Type.Record(Type.String(), Type.Unknown()),
  },
  { title: 'SessionUser' },
);
/** The user of a browser session. */
export type SessionUser = Static<typeof SessionUser>;

const SessionMembership = Type.Object(
  {
    tenant_id: Type.String(),
    tenant_code: Type.String({ description: 'For `X-Tenant`.' }),
    tenant_name: Type.String(),
    brand: Type.Object(
      { logo_url: Type.String(), primary_color: Type.String(), locale: Type.Optional(Type.String()) },
      { title: 'TenantBrand' },
    ),
    membership_id: Type.String(),
    is_tenant_admin: Type.Boolean(),
    default_business_unit_id: Type.String(),
    units: Type.Array(
      Type.Object(
        {
          bu_id: Type.String(),
          name: Type.String(),
          slug: Type.String(),
          is_default: Type.Boolean(),
          role: Type.Enum(['viewer', 'editor', 'admin']),
        },
        { title: 'SessionUnit' },
      ),
    ),
    has_all_units: Type.Boolean({ description: 'True if `units` has every active unit of the tenant.' }),
  },
  { title: 'SessionMembership' },
);
/** An active membership of the user, with the units that it can access. */
export type SessionMembership = Static<typeof SessionMembership>;

/** The user of a session, and what calls of the session need. */
export const SessionInfo = Type.Object(
  {
    user: SessionUser,
    memberships: Type.Array(SessionMembership),
    csrf_token: Type.String({ description: 'For `X-CSRF-Token`.' }),
    confirmed_until: Type.String({
      format: 'date-time',
      description: 'Until then, sensitive calls need no password.',
    }),
    expires_at: Type.String(),
  },
  { title: 'SessionInfo' },
);
/** A browser session: its user, memberships, CSRF token and expiry. */
export type SessionInfo = Static<typeof SessionInfo>;

/** The sessions of a user in all browsers. */
export const BrowserSessions = Type.Object(
  {
    results: Type.Array(
      Type.Object(
        {
          id: Type.String(),
          is_current: Type.Boolean(),
          created_at: Type.String(),
          last_seen_at: Type.String(),
          ip_address: Type.String({ description: 'At sign-in.' }),
          user_agent: Nullable,
        },
        { title: 'BrowserSession' },
      ),
    ),
  },
  { title: 'BrowserSessions' },
);
/** A user's sessions in all browsers. */
export type BrowserSessions = Static<typeof BrowserSessions>;

/** Body of a confirmation. */
export const Confirmation = Type.Object(
  { password: Type.String({ minLength: 1, maxLength: 1000 }) },
  { title: 'Confirmation' },
);

/** Reply to a confirmation. */
export const Confirmed = Type.Object(
  { confirmed_until: Type.String({ format: 'date-time' }) },
  { title: 'Confirmed' },
);
/** Reply to a confirmation of the password. */
export type Confirmed = Static<typeof Confirmed>;

const MAX_PREFERENCES = 16 * 1024;

/** Body of a change of the own profile; absent members stay unchanged. */
export const ProfileChange = Type.Object(
  {
    name: Type.Optional(UserName),
    locale: Type.Optional(
      Type.Union(
        [Type.String({ pattern: '^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8})*$', maxLength: 35 }), Type.Null()],
        { description: 'Language tag.' },
      ),
    ),
    time_zone: Type.Optional(
      Type.Union([Type.String({ maxLength: 100 }), Type.Null()], { description: 'IANA name.' }),
    ),
    preferences: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), {
        description: `Settings of the console; at most ${MAX_PREFERENCES} characters as JSON.`,
      }),
    ),
  },
  { title: 'ProfileChange' },
);
/** Validated body of a change of the user's own profile. */
export type ProfileChange = Static<typeof ProfileChange>;

/** Rejects unknown time zones. */
export const checkTimeZone = check<ProfileChange>(['time_zone'], ({ time_zone }) =>
  typeof time_zone === 'string' && !isZone(time_zone)
    ? [{ field: 'time_zone', message: 'must be an IANA time zone such as Europe/Berlin' }]
    : [],
);

/** Rejects preferences that are too large. */
export const checkPreferences = check<ProfileChange>(['preferences'], ({ preferences }) =>
  overlongFaults('preferences', preferences, MAX_PREFERENCES),
);

/** Reply to a change of the own profile. */
export const ProfileChanged = Type.Object({ user: SessionUser }, { title: 'ProfileChanged' });
/** The user after a change of the profile. */
export type ProfileChanged = Static<typeof ProfileChanged>;

/** Types of the session, as `GET /auth/session` returns it and the server embeds it in the page. */
import type { schemas } from '../../sdk/src/index.ts';

/** The signed-in user and their tenants. */
export type Session = schemas.SessionInfo;

/** Membership of the user in a tenant. */
export type SessionMembership = schemas.SessionMembership;

/** A business unit that a member can work in. */
export type SessionUnit = schemas.SessionUnit;

/** Role of a member in a business unit. */
export type UnitRole = SessionUnit['role'];

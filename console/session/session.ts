/** The signed-in user and their tenants, as the server embeds them in the page and `GET /auth/session` returns them. */

/** Role of a member in a business unit. */
export type Role = 'viewer' | 'editor' | 'admin' | 'owner';

/** A business unit of a membership. */
export interface SessionUnit {
  readonly bu_id: string;
  readonly name: string;
  readonly slug: string;
  readonly is_default: boolean;
  readonly role: Role;
}

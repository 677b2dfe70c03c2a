import { randomUUID } from 'node:crypto';
import { type Client, createClient } from './client.ts';
import { PASSWORD, type TestTenant } from './test-app.ts';

/** A grant in the body of a request. */
export interface GrantBody {
  readonly bu_id: string;
  readonly role: 'viewer' | 'editor' | 'admin';
}

/** A session of a user, and a client with its access token. */
export interface TestSession {
  readonly token: string;
  readonly refreshToken: string;
  readonly bearer: Client;
}

/** A member created for a test, and a client with its key. */
export interface TestMember {
  readonly membershipId: string;
  readonly userId: string;
  readonly email: string;
  readonly keyId: string;
  readonly apiKey: string;
  readonly api: Client;
}

/** Adds a member with these grants to a tenant, through the API. */
export async function createMember(
  { api }: Pick<TestTenant, 'api'>,
  grants: readonly GrantBody[],
  more: object = {},
): Promise<TestMember> {
  const email = `m${randomUUID()}@example.com`;
  const user = { email, name: 'Member', password: PASSWORD };
  const member = await api.post('/api/client/v1/memberships', { ...user, grants, ...more });
  const { membership_id: membershipId, user_id: userId } = member.body;
  const key = await api.post('/api/client/v1/api-keys', { name: 'Key', membership_id: membershipId });
  return {
    membershipId,
    userId,
    email,
    keyId: key.body.id,
    apiKey: key.body.api_key,
    api: createClient(api.url, { 'x-api-key': key.body.api_key }),
  };
}

/** Creates a business unit through the API and returns its id. */
export async function createUnit({ api }: Pick<TestTenant, 'api'>, name: string): Promise<string> {
  return (await api.post('/api/client/v1/business-units', { name })).body.bu_id;
}

/** Returns a client that acts in the unit (header `X-Business-Unit`). */
export async function actingIn(api: Client, unitId: string): Promise<Client> {
  const { token } = (await api.post(`/api/client/v1/business-units/${unitId}/activate`, undefined)).body;
  return api.with({ 'x-business-unit': token });
}

/** Signs in a user of a test. */
export async function signIn({ url }: Pick<Client, 'url'>, email: string): Promise<TestSession> {
  const { body } = await createClient(url).post('/auth/login', { email, password: PASSWORD });
  return toSession(url, body);
}

/** Returns the session in a response of `/auth/login` or `/auth/refresh`. */
export function toSession(
  url: string,
  { token, refresh_token: refreshToken }: { readonly token: string; readonly refresh_token: string },
): TestSession {
  return { token, refreshToken, bearer: createClient(url, { authorization: `Bearer ${token}` }) };
}

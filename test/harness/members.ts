import { randomUUID } from 'node:crypto';
import { type Client, createClient } from './client.ts';
import type { TestTenant } from './test-app.ts';

/** A grant as the owner's calls take it. */
export interface GrantBody {
  readonly bu_id: string;
  readonly role: 'viewer' | 'editor' | 'admin';
}

/** A member made for a test, and a client with its key. */
export interface TestMember {
  readonly membershipId: string;
  readonly userId: string;
  readonly email: string;
  readonly keyId: string;
  readonly apiKey: string;
  readonly api: Client;
}

/** Adds a person with these grants to a tenant, through the API. */
export async function createMember(
  { api }: Pick<TestTenant, 'api'>,
  grants: readonly GrantBody[],
  more: object = {},
): Promise<TestMember> {
  const email = `m${randomUUID()}@example.com`;
  const member = await api.post('/api/client/v1/memberships', { email, name: 'Member', grants, ...more });
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

/** The client, acting in the unit (header `X-Business-Unit`). */
export async function actingIn(api: Client, unitId: string): Promise<Client> {
  const { token } = (await api.post(`/api/client/v1/business-units/${unitId}/activate`, undefined)).body;
  return api.with({ 'x-business-unit': token });
}

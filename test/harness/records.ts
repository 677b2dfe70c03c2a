import type { Client } from './client.ts';
import { createMember, type GrantBody, signIn } from './members.ts';
import type { TestApp, TestTenant } from './test-app.ts';

/** A tenant with entities, and with its owner signed in. */
export interface RecordsTenant extends TestTenant {
  /** Client with the owner's access token. */
  readonly owner: Client;
}

/** The parts of an entity's definition that tests use. */
export interface Definition {
  readonly name: string;
  readonly fields: readonly {
    readonly relation?: { readonly kind: string; readonly entity: string; readonly field?: string };
    readonly [more: string]: unknown;
  }[];
  readonly [more: string]: unknown;
}

/** Creates a tenant with these entities, each after those that it references, and signs its owner in. */
export async function createRecordsTenant(
  app: TestApp,
  entities: readonly Definition[],
): Promise<RecordsTenant> {
  const tenant = await app.createTenant();
  // `has_many` relations are added after the entities that they reference.
  for (const { fields, ...entity } of entities) {
    const own = fields.filter(({ relation }) => relation?.kind !== 'has_many');
    await tenant.api.post('/api/entities', { ...entity, fields: own });
  }
  for (const entity of entities)
    if (entity.fields.some(({ relation }) => relation?.kind === 'has_many'))
      await tenant.api.put(`/api/entities/${entity.name}`, entity);
  return { ...tenant, owner: (await signIn(tenant.api, tenant.ownerEmail)).bearer };
}

/** Adds a member with these grants and signs them in. */
export async function createSignedInMember(tenant: RecordsTenant, grants: readonly GrantBody[]) {
  const member = await createMember(tenant, grants);
  return { ...member, person: (await signIn(tenant.api, member.email)).bearer };
}

/** Entities of a shop: customers with orders, which have items of products, and a workflow. */
export const SHOP: readonly Definition[] = [
  {
    name: 'customer',
    fields: [
      { name: 'name', type: 'string', required: true, searchable: true, max: 100 },
      { name: 'email', type: 'string', unique: true },
      {
        name: 'orders',
        type: 'relation',
        relation: { entity: 'order', kind: 'has_many', field: 'customer' },
      },
    ],
  },
  { name: 'product', fields: [{ name: 'title', type: 'string', required: true }] },
  {
    name: 'order',
    fields: [
      { name: 'number', type: 'string', required: true, unique: true, pattern: '^[A-Z]-\\d+$' },
      { name: 'total', type: 'number', min: 0, indexed: true },
      { name: 'count', type: 'integer' },
      { name: 'paid', type: 'boolean', default: false },
      { name: 'due', type: 'date' },
      { name: 'sent_at', type: 'datetime' },
      { name: 'details', type: 'json' },
      { name: 'token', type: 'uuid' },
      { name: 'note', type: 'text', searchable: true },
      { name: 'lane', type: 'enum', enum: ['fast', 'slow'] },
      { name: 'status', type: 'string' },
      { name: 'agent', type: 'string' },
      { name: 'customer', type: 'relation', relation: { entity: 'customer', kind: 'belongs_to' } },
      {
        name: 'items',
        type: 'relation',
        relation: { entity: 'order_item', kind: 'has_many', field: 'order' },
      },
    ],
    workflow: {
      field: 'status',
      initial: 'open',
      states: ['open', 'paid', 'sent', 'lost'],
      transitions: [
        { from: 'open', to: 'paid' },
        { from: 'paid', to: 'sent' },
        { from: 'open', to: 'lost' },
        { from: 'lost', to: 'open' },
      ],
      owner_field: 'agent',
    },
  },
  {
    name: 'order_item',
    fields: [
      { name: 'quantity', type: 'integer', required: true, min: 1 },
      {
        name: 'order',
        type: 'relation',
        required: true,
        relation: { entity: 'order', kind: 'belongs_to' },
      },
      { name: 'product', type: 'relation', relation: { entity: 'product', kind: 'belongs_to' } },
    ],
  },
];

import { randomUUID } from 'node:crypto';
import { signIn } from '../../harness/members.ts';
import type { Maker, Makers } from '../record-maker.ts';

const newName = (name: string) => `${name}_${randomUUID().slice(0, 8)}`;

/** Creates a record of an entity, signed in as the owner of the tenant. */
function recordOf(entity: string, fields: object, isOwned: boolean): Maker {
  return async ({ tenant, record }) => {
    const { bearer } = await signIn(tenant.api, tenant.ownerEmail);
    const owner = isOwned ? { business_unit: await record('unit') } : {};
    return (await bearer.post(`/api/${await record(entity)}`, { ...fields, ...owner })).body.id;
  };
}

/** Entities and their records. */
export const entityRecords: Makers = {
  customer_entity: async ({ tenant: { api } }) => {
    const fields = [{ name: 'name', type: 'string' }];
    return (await api.post('/api/entities', { name: newName('customer'), fields })).body.name;
  },
  // Members of any unit may see its name.
  owned_entity: async ({ tenant: { api } }) => {
    const fields = [
      ...['number', 'status', 'holder'].map((name) => ({ name, type: 'string' })),
      { name: 'total', type: 'number' },
    ];
    const transitions = [{ from: 'open', to: 'paid' }];
    const states = { field: 'status', initial: 'open', states: ['open', 'paid'], transitions };
    const workflow = { ...states, owner_field: 'holder' };
    const entity = { name: newName('order'), fields, workflow, owned_by: 'business_unit' };
    return (await api.post('/api/entities', entity)).body.name;
  },
  entity_record: recordOf('owned_entity', { number: 'A-17' }, true),
  spare_record: recordOf('owned_entity', { number: 'A-18' }, true),
  webhook_change: async (world) => {
    await world.record('entity_webhook');
    return recordOf('entity', { number: 'A-19' }, false)(world);
  },
};

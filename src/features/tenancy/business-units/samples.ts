import { randomUUID } from 'node:crypto';
import type { FeatureSamples, NameOf, Sample } from '../../../../test/contract/samples.ts';
import { createUnit } from '../../../../test/harness/members.ts';

/** The unit that owns all other samples. */
export const unit: Sample = { make: ({ tenant }) => createUnit(tenant, 'North'), absent: randomUUID };

/** A unit that owns nothing, so that it can be archived. */
const spareUnit: Sample = { make: ({ tenant }) => createUnit(tenant, 'Spare'), absent: randomUUID };

/** The body of a list of what that unit owns. */
export const listOfUnit = (name: NameOf) => ({
  page: 1,
  limit: 10,
  filters: { business_unit: { operation: 'eq', value: name(unit) } },
});

export const samples: FeatureSamples = {
  records: [unit, spareUnit],
  requests: {
    'business_units.list': () => ({}),
    'business_units.create': () => ({ body: { name: 'New unit' } }),
    'business_units.rename': (name) => ({ params: { bu_id: name(unit) }, body: { name: 'Renamed' } }),
    'business_units.archive': (name) => ({ params: { bu_id: name(spareUnit) } }),
    'business_units.restore': (name) => ({ params: { bu_id: name(unit) } }),
    'business_units.activate': (name) => ({ params: { bu_id: name(unit) } }),
  },
};

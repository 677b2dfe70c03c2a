import { randomUUID } from 'node:crypto';
import { body, type FeatureExamples } from '../../../http/examples.ts';
import { UnitCreate, UnitRename } from './schema.ts';

export const examples: FeatureExamples = {
  records: {
    /** The unit that owns all other example records. */
    unit: {
      path: '/api/client/v1/business-units/{bu_id}',
      createdBy: 'business_units.create',
      absent: randomUUID,
    },
    spare_unit: { createdBy: 'business_units.create', absent: randomUUID },
  },
  requests: {
    'business_units.create': body(UnitCreate)((_name, unique) => ({
      name: unique('Retail'),
      slug: unique('retail'),
    })),
    'business_units.rename': body(UnitRename)({ name: 'Retail and wholesale' }),
    'business_units.archive': { params: (name) => ({ bu_id: name('spare_unit') }) },
  },
};

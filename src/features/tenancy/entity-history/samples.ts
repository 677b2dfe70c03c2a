import type { FeatureSamples, NameOf, Sample } from '../../../../test/contract/samples.ts';
import { shortCode } from '../../../secrets/codes.ts';
import { form } from '../../forms/forms/samples.ts';
import { unit } from '../business-units/samples.ts';

const query = (name: NameOf) => ({ entityType: 'form', entitySortKey: name(form) });

/** A form theme that was deleted. */
const deleted: Sample = {
  needs: [unit],
  make: async ({ tenant: { api }, name }) => {
    const theme = { name: 'Deleted', formBuilderThemeOptions: {}, business_unit: name(unit) };
    const { code } = (await api.post('/api/form_themes', theme)).body;
    await api.delete(`/api/form_themes/${code}`);
    return code;
  },
  absent: shortCode,
};

export const samples: FeatureSamples = {
  records: [deleted],
  requests: {
    'entity_versions.list': (name) => ({ query: query(name) }),
    'entity_versions.get': (name) => ({ params: { version: '1' }, query: query(name) }),
    'deleted_records.list': () => ({ query: { entityType: 'form' } }),
    'deleted_records.search': () => ({ body: { page: 1, limit: 5, filters: {} } }),
    'deleted_records.restore': (name) => ({
      body: { entityType: 'form_theme', entitySortKey: name(deleted) },
    }),
  },
};

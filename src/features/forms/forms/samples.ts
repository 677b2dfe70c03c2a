import type { FeatureSamples, NameOf, Sample } from '../../../../test/contract/samples.ts';
import { formBody } from '../../../../test/harness/sample-forms.ts';
import { shortCode } from '../../../secrets/codes.ts';
import { listOfUnit, unit } from '../../tenancy/business-units/samples.ts';
import { record as theme } from '../form-themes/samples.ts';

const body = (name: NameOf, more: object = {}) =>
  formBody({ business_unit: name(unit), theme_code: name(theme), ...more });

/** A form, by its code. */
export const form: Sample = {
  needs: [unit, theme],
  make: async ({ tenant, name }) => (await tenant.api.post('/api/forms', body(name))).body.code,
  absent: shortCode,
};

/** A second form, whose webhooks remain when the first is deleted. */
export const hookedForm: Sample = { ...form };

/** The first form, by its public code. */
export const publicForm: Sample = {
  needs: [form],
  make: async ({ tenant, name }) => (await tenant.api.get(`/api/forms/${name(form)}`)).body.public_code,
  absent: shortCode,
};

const params = (name: NameOf) => ({ code: name(form) });

export const samples: FeatureSamples = {
  records: [form, hookedForm, publicForm],
  requests: {
    'forms.create': (name) => ({ body: body(name) }),
    'forms.list': (name) => ({ body: listOfUnit(name) }),
    'forms.get': (name) => ({ params: params(name) }),
    'forms.schema': (name) => ({ params: params(name) }),
    'forms.replace': (name) => ({ params: params(name), body: body(name, { name: 'Replaced' }) }),
    'forms.delete': (name) => ({ params: params(name) }),
  },
};

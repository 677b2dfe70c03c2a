import { body, type FeatureExamples, type NameOf } from '../../../http/examples.ts';
import { TenantCreate, TenantReset, TenantSettingsUpdate, TenantUpdate } from './schema.ts';

export const examples: FeatureExamples = {
  records: {
    tenant: { path: '/admin/tenants/{code}', shown: 'acme', absent: () => 'nobody' },
    deletable_tenant: { shown: 'acme', absent: () => 'nobody' },
  },
  requests: {
    'tenants.create': body(TenantCreate)((_name, unique) => ({
      code: unique('acme'),
      name: 'Acme',
      owner: {
        email: unique('owner@acme.example'),
        name: 'Ada Lovelace',
        password: 'correct horse battery staple',
      },
    })),
    'tenants.update': body(TenantUpdate)({ name: 'Acme Garden' }),
    'tenant_settings.update': body(TenantSettingsUpdate)({
      name: 'Acme',
      brand_settings: { logo_url: 'https://acme.example/logo.png', primary_color: '#0f766e', locale: 'de' },
      time_zone: 'Europe/Berlin',
      session_hours: 12,
    }),
    'tenants.delete': {
      params: (name: NameOf) => ({ code: name('deletable_tenant') }),
      ...body(TenantReset)((name) => ({ confirm: name('deletable_tenant') })),
    },
    'tenants.reset': body(TenantReset)((name) => ({ confirm: name('tenant') })),
  },
};

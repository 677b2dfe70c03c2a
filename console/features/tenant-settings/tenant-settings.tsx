import { useState } from 'react';
import type { schemas } from '../../../sdk/src/index.ts';
import { Form } from '../../forms/form.tsx';
import { useSubmit } from '../../forms/use-submit.ts';
import { ZoneField } from '../../forms/zone-field.tsx';
import { useApi, useMembership } from '../../session/session-context.tsx';
import { useRefreshSession } from '../../session/use-refresh-session.ts';
import { useInvalidate, useTenantQuery } from '../../session/use-tenant-query.ts';
import { ownerReason } from '../../shell/owner-reason.ts';
import { NumberField } from '../../ui/number-field.tsx';
import { Page } from '../../ui/page.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Section } from '../../ui/section.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { toasts } from '../../ui/toasts.tsx';
import { BrandFields } from './brand-fields.tsx';
import { texts } from './texts.ts';

const { translate } = texts;
const FIELDS = ['name', 'time_zone', 'session_hours', 'brand_settings'];
const HOURS = { min: 1, max: 720 };

/** Settings of the tenant: every member sees them, owners change them. */
export function TenantSettings() {
  const { data } = useTenantQuery(['settings'], (api, options) => api.tenantSettings.get(options));
  return (
    <Page width="narrow">
      <PageHeader title={translate('title')} description={translate('intro')} />
      {data === undefined ? (
        <Skeleton shape="fields" count={5} />
      ) : (
        <SettingsForm key={data.version} settings={data} />
      )}
    </Page>
  );
}

function SettingsForm({ settings }: { readonly settings: schemas.TenantSettings }) {
  const api = useApi();
  const invalidate = useInvalidate();
  const refreshSession = useRefreshSession();
  const membership = useMembership();
  const reason = ownerReason(membership);
  const [value, setValue] = useState(settings);
  const set = (changes: Partial<schemas.TenantSettings>) => setValue({ ...value, ...changes });
  const submission = useSubmit(FIELDS, async () => {
    await api.tenantSettings.update(value);
    await Promise.all([invalidate('settings'), refreshSession()]);
    toasts.add({ title: translate('saved') });
  });
  return (
    <Form submission={submission} action={translate('save')} disabledReason={reason}>
      <TextField
        label={translate('name')}
        value={value.name}
        onChange={(name) => set({ name })}
        error={submission.errorOf('name')}
        disabledReason={reason}
        isRequired
      />
      <TextField
        label={translate('code')}
        help={translate('code.help')}
        value={membership.tenant_code}
        isReadOnly
        isMono
      />
      <ZoneField
        label={translate('zone')}
        help={translate('zone.help')}
        value={value.time_zone}
        onChange={(zone) => set({ time_zone: zone ?? 'UTC' })}
        error={submission.errorOf('time_zone')}
        disabledReason={reason}
      />
      <NumberField
        label={translate('hours')}
        help={translate('hours.help')}
        value={value.session_hours}
        onChange={(hours) => set({ session_hours: hours })}
        minValue={HOURS.min}
        maxValue={HOURS.max}
        error={submission.errorOf('session_hours')}
        disabledReason={reason}
      />
      <Section title={translate('brand')}>
        <BrandFields
          value={value.brand_settings}
          onChange={(brand_settings) => set({ brand_settings })}
          errorOf={(field) => submission.errorOf(`brand_settings.${field}`)}
          disabledReason={reason}
        />
      </Section>
    </Form>
  );
}

import type { schemas } from '../../../sdk/src/index.ts';
import { DraftBadge } from '../../drafts/draft-badge.tsx';
import { DraftFrame } from '../../drafts/draft-frame.tsx';
import { UndoButtons } from '../../drafts/undo-buttons.tsx';
import { useDraft } from '../../drafts/use-draft.ts';
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
import { settingsFields } from './settings-fields.ts';
import { texts } from './texts.ts';

const { translate } = texts;
const FIELDS = ['name', 'time_zone', 'session_hours', 'brand_settings'];
const HOURS = { min: 1, max: 720 };
/** The tenant's only item of this type. */
const ITEM = { type: 'tenant_settings', itemKey: 'settings' };

/** Settings of the tenant: every member sees them, owners change them. */
export function TenantSettings() {
  const { data } = useTenantQuery(['settings'], (api, options) => api.tenantSettings.get(options));
  return (
    <Page width="narrow">
      <PageHeader
        title={translate('title')}
        status={<DraftBadge {...ITEM} />}
        description={translate('intro')}
      />
      {data === undefined ? <Skeleton shape="fields" count={5} /> : <SettingsForm settings={data} />}
    </Page>
  );
}

function SettingsForm({ settings }: { readonly settings: schemas.TenantSettings }) {
  const api = useApi();
  const invalidate = useInvalidate();
  const refreshSession = useRefreshSession();
  const membership = useMembership();
  const reason = ownerReason(membership);
  const draft = useDraft({
    ...ITEM,
    saved: settings,
    read: () => api.tenantSettings.get(),
    fields: settingsFields(),
  });
  const { value, change: set } = draft;
  const submission = useSubmit(FIELDS, async () => {
    if (!(await draft.save((sent) => api.tenantSettings.update(sent)))) return;
    await Promise.all([invalidate('settings'), refreshSession()]);
    toasts.add({ title: translate('saved') });
  });
  return (
    <DraftFrame draft={draft}>
      <Form
        submission={submission}
        action={translate('save')}
        disabledReason={reason}
        secondary={<UndoButtons draft={draft} />}
      >
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
    </DraftFrame>
  );
}

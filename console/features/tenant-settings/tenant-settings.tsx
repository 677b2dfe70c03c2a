import update from 'operation:tenant_settings.update';
import type { schemas } from '../../../sdk/src/index.ts';
import { DraftBadge } from '../../drafts/draft-badge.tsx';
import { DraftFrame } from '../../drafts/draft-frame.tsx';
import { UndoButtons } from '../../drafts/undo-buttons.tsx';
import { type Saved, useDraft } from '../../drafts/use-draft.ts';
import { groupAt, useField } from '../../forms/field-group.ts';
import { FormField } from '../../forms/form-field.tsx';
import { OperationForm } from '../../forms/operation-form.tsx';
import { useForm } from '../../forms/use-form.ts';
import { ZoneField } from '../../forms/zone-field.tsx';
import { useApi, useMembership } from '../../session/session-context.tsx';
import { useRefreshSession } from '../../session/use-refresh-session.ts';
import { useInvalidate, useTenantQuery } from '../../session/use-tenant-query.ts';
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
  const { tenant_code } = useMembership();
  const draft = useDraft({
    ...ITEM,
    saved: settings,
    read: () => api.tenantSettings.get(),
    fields: settingsFields(),
  });
  const form = useForm<schemas.TenantSettingsUpdate, Saved<schemas.TenantSettingsVersion> | null>({
    operation: update,
    call: () => draft.save((sent) => api.tenantSettings.update(sent)),
    value: draft.value,
    onChange: draft.change,
    onDone: async (saved) => {
      if (saved === null) return;
      await Promise.all([invalidate('settings'), refreshSession()]);
      toasts.add({ title: translate('saved') });
    },
  });
  const zone = useField(form, 'time_zone');
  return (
    <DraftFrame draft={draft}>
      <OperationForm form={form} action={translate('save')} isKept secondary={<UndoButtons draft={draft} />}>
        <FormField form={form} name="name" label={translate('name')} />
        <TextField
          label={translate('code')}
          help={translate('code.help')}
          value={tenant_code}
          isReadOnly
          isMono
        />
        <ZoneField
          {...zone}
          label={translate('zone')}
          help={translate('zone.help')}
          value={zone.value ?? null}
          onChange={(next) => zone.onChange(next ?? 'UTC')}
        />
        <FormField
          form={form}
          name="session_hours"
          label={translate('hours')}
          help={translate('hours.help')}
        />
        <Section title={translate('brand')}>
          <BrandFields form={groupAt(form, 'brand_settings')} />
        </Section>
      </OperationForm>
    </DraftFrame>
  );
}

import type { schemas } from '../../../sdk/src/index.ts';
import { DraftBadge } from '../../drafts/draft-badge.tsx';
import { DraftFrame } from '../../drafts/draft-frame.tsx';
import { UndoButtons } from '../../drafts/undo-buttons.tsx';
import { SettingsContent } from '../../email-settings/settings-content.tsx';
import { useEmailSettings } from '../../email-settings/use-email-settings.ts';
import { EMAIL_SETTINGS, useSettingsForm } from '../../email-settings/use-settings-form.ts';
import { FormField } from '../../forms/form-field.tsx';
import { OperationForm } from '../../forms/operation-form.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Banner } from '../../ui/banner.tsx';
import { Page } from '../../ui/page.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { RuleFields } from './rule-fields.tsx';
import { sandboxFields, sandboxOf } from './rules.ts';
import { texts } from './texts.ts';

const { translate } = texts;

/** Name of the sandbox among drafts. */
const SANDBOX = 'sandbox';

/** The sandbox of the tenant: whether it is on, and who may receive mail meanwhile. */
export function Sandbox() {
  const { data: settings } = useEmailSettings();
  return (
    <Page width="narrow">
      <PageHeader
        title={translate('title')}
        status={
          <>
            {settings === undefined ? null : <Mode isOn={settings.sandbox_mode} />}
            <DraftBadge type={EMAIL_SETTINGS} itemKey={SANDBOX} />
          </>
        }
        description={translate('intro')}
      />
      <SettingsContent>{(loaded) => <SandboxForm settings={loaded} />}</SettingsContent>
    </Page>
  );
}

function Mode({ isOn }: { readonly isOn: boolean }) {
  return <Badge tone={isOn ? 'warning' : 'neutral'}>{translate(isOn ? 'on' : 'off')}</Badge>;
}

function SandboxForm({ settings }: { readonly settings: schemas.EmailSettings }) {
  const { draft, form } = useSettingsForm({
    settings,
    name: SANDBOX,
    partOf: sandboxOf,
    fields: sandboxFields(),
    savedText: translate('saved'),
  });
  const { sandbox_mode: isOn, whitelist_recipient_rules: rules } = draft.value;
  return (
    <DraftFrame draft={draft}>
      <OperationForm form={form} action={translate('save')} isKept secondary={<UndoButtons draft={draft} />}>
        <FormField form={form} name="sandbox_mode" label={translate('mode')} help={translate('mode.help')} />
        {isOn && !rules.some(({ active }) => active) ? (
          <Banner tone="warning" isLive>
            {translate('nobody')}
          </Banner>
        ) : null}
        <RuleFields form={form} />
      </OperationForm>
    </DraftFrame>
  );
}

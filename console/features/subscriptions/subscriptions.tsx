import { DraftBadge } from '../../drafts/draft-badge.tsx';
import { SettingsContent } from '../../email-settings/settings-content.tsx';
import { EMAIL_SETTINGS } from '../../email-settings/use-settings-form.ts';
import { Page } from '../../ui/page.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { texts } from './texts.ts';
import { TYPES, TypesForm } from './types-form.tsx';

const { translate } = texts;

/** The subscription types of the tenant, with a preview of the page on which recipients choose among them. */
export function Subscriptions() {
  return (
    <Page>
      <PageHeader
        title={translate('title')}
        status={<DraftBadge type={EMAIL_SETTINGS} itemKey={TYPES} />}
        description={translate('intro')}
      />
      <SettingsContent>{(settings) => <TypesForm settings={settings} />}</SettingsContent>
    </Page>
  );
}

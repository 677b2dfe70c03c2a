import { Message } from './message.tsx';
import { shellTexts } from './texts.ts';

const { translate } = shellTexts;

/** The screen for an unknown address. */
export function Missing() {
  return (
    <Message
      title={translate('missing.title')}
      text={translate('missing.text')}
      action={{ title: translate('missing.home'), href: '/' }}
    />
  );
}

/** The screen of a tenant that the user is not a member of. */
export function MissingTenant({ code }: { readonly code: string }) {
  return (
    <main>
      <Message
        title={translate('tenant-missing.title')}
        text={translate('tenant-missing.text', { tenant: code })}
        action={{ title: translate('tenant-missing.action'), href: '/' }}
      />
    </main>
  );
}

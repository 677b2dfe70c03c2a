import { useMembership } from '../../session/session-context.tsx';
import { useTenantQuery } from '../../session/use-tenant-query.ts';
import { useTenantPath } from '../../shell/tenant-path.ts';
import { Steps } from './steps.tsx';
import { texts } from './texts.ts';

const { translate } = texts;

/** The first steps of an owner: team, units, keys. */
export function OwnerSteps() {
  const pathOf = useTenantPath();
  const { units } = useMembership();
  const names = useTenantQuery(['member-names'], (api, options) => api.members.names(options));
  const keys = useTenantQuery(['keys', 'any'], (api, options) => api.apiKeys.list({ limit: 1 }, options));
  return (
    <Steps
      steps={[
        {
          icon: 'user-plus',
          title: translate('members.title'),
          text: translate('members.text'),
          action: translate('members.action'),
          href: pathOf('settings/members', { invite: true }),
          isDone: (names.data?.results.length ?? 0) > 1,
        },
        {
          icon: 'layers',
          title: translate('units.title'),
          text: translate('units.text'),
          action: translate('units.action'),
          href: pathOf('settings/units', { new: true }),
          isDone: units.length > 1,
        },
        {
          icon: 'key-round',
          title: translate('keys.title'),
          text: translate('keys.text'),
          action: translate('keys.action'),
          href: pathOf('connections/keys', { new: true }),
          isDone: (keys.data?.results.length ?? 0) > 0,
        },
      ]}
    />
  );
}

import { useMembership } from '../../session/session-context.tsx';
import { useTenantPath } from '../../shell/tenant-path.ts';
import type { Step } from './steps.tsx';
import { texts } from './texts.ts';

const { translate } = texts;

/** Returns the first steps of an owner: team, units, keys. `setup` says which the tenant has done. */
export function useOwnerSteps(setup: Readonly<Record<string, boolean>>): Step[] {
  const pathOf = useTenantPath();
  const { units } = useMembership();
  return [
    {
      icon: 'user-plus',
      title: translate('members.title'),
      text: translate('members.text'),
      action: translate('members.action'),
      href: pathOf('settings/members', { invite: true }),
      isDone: setup.members === true,
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
      isDone: setup.api_keys === true,
    },
  ];
}

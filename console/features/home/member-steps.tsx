import { SERVER_URL } from '../../base-path.ts';
import { useMembership, useSession } from '../../session/session-context.tsx';
import { useTenantPath } from '../../shell/tenant-path.ts';
import type { Step } from './steps.tsx';
import { texts } from './texts.ts';

const { translate } = texts;

/** Returns the first steps of a member who is not an owner. */
export function useMemberSteps(): Step[] {
  const pathOf = useTenantPath();
  const { units } = useMembership();
  const { user } = useSession();
  const names = units.map((unit) => unit.name).join(', ');
  return [
    {
      icon: 'user',
      title: translate('profile.title'),
      text: translate('profile.text'),
      action: translate('profile.action'),
      href: '/account',
      isDone: user.locale !== null && user.time_zone !== null,
    },
    {
      icon: 'layers',
      title: translate('access.title'),
      text: translate('access.text', { count: units.length, units: names }),
      action: translate('access.action'),
      href: pathOf('settings/units'),
      isDone: false,
    },
    {
      icon: 'book-open',
      title: translate('guides.title'),
      text: translate('guides.text'),
      action: translate('guides.action'),
      href: `${SERVER_URL}/guides`,
      isDone: false,
    },
  ];
}

import { useLocation } from '@tanstack/react-router';
import { useMembership, useUnit } from '../session/session-context.tsx';
import { useIsTenantWide } from '../session/use-is-tenant-wide.ts';
import { Icon } from '../ui/icon.tsx';
import { Menu } from '../ui/menu.tsx';
import { PlainButton } from '../ui/plain-button.tsx';
import { shellTexts } from './texts.ts';
import classes from './top-bar.module.css';

const { translate } = shellTexts;

/**
 * Chooses the business unit of the screen, or all of them; the choice is in the URL. Screens of all units say so
 * instead.
 */
export function UnitSwitch() {
  const { units } = useMembership();
  const unit = useUnit();
  const { pathname } = useLocation();
  const isTenantWide = useIsTenantWide();
  if (units.length < 2) return null;
  if (isTenantWide)
    return (
      <span className={classes.scope}>
        <Icon name="layers" />
        {translate('unit.whole')}
      </span>
    );
  const name = unit?.name ?? translate('unit.all');
  const all = { id: '*', title: translate('unit.all'), href: `${pathname}?unit=`, isCurrent: unit === null };
  const entries = units.map((each) => ({
    id: each.bu_id,
    title: each.name,
    href: `${pathname}?unit=${encodeURIComponent(each.slug)}`,
    isCurrent: each === unit,
  }));
  return (
    <Menu
      label={translate('unit.title')}
      groups={[{ entries: [all] }, { entries }]}
      trigger={
        <PlainButton className={classes.switch} label={translate('unit.label', { name })}>
          <Icon name="layers" />
          <span className={classes.switchName}>{name}</span>
          <Icon name="chevron-down" size={14} />
        </PlainButton>
      }
    />
  );
}

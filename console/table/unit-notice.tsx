import { useParams } from '@tanstack/react-router';
import { useMembership, useUnit } from '../session/session-context.tsx';
import { useIsTenantWide } from '../session/use-is-tenant-wide.ts';
import { activeLocale } from '../texts/texts.ts';
import { Icon } from '../ui/icon.tsx';
import { tableTexts } from './texts.ts';
import classes from './unit-notice.module.css';

const { translate } = tableTexts;

/** Units that the notice names; it counts the others. */
const NAMED_UNITS = 3;

/**
 * Says which units a list is limited to. Members who see all units need no notice, because the top bar says which one
 * they have chosen.
 */
export function UnitNotice() {
  const { tenant = '' } = useParams({ strict: false });
  return tenant === '' ? null : <TenantNotice />;
}

function TenantNotice() {
  const { units, has_all_units: hasAllUnits } = useMembership();
  const unit = useUnit();
  const isTenantWide = useIsTenantWide();
  if (hasAllUnits || isTenantWide || units.length === 0) return null;
  const names = (unit === null ? units : [unit]).map(({ name }) => name);
  const more = names.length - NAMED_UNITS;
  const shown = more > 1 ? [...names.slice(0, NAMED_UNITS), translate('units.more', { count: more })] : names;
  const list = new Intl.ListFormat(activeLocale(), { type: 'conjunction' }).format(shown);
  return (
    <p className={classes.notice}>
      <Icon name="layers" />
      <span>{translate('units', { units: list })}</span>
    </p>
  );
}

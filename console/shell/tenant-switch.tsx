import { useMembership, useSession } from '../session/session-context.tsx';
import { Avatar } from '../ui/avatar.tsx';
import { Icon } from '../ui/icon.tsx';
import { Menu } from '../ui/menu.tsx';
import { PlainButton } from '../ui/plain-button.tsx';
import classes from './tenant-switch.module.css';
import { shellTexts } from './texts.ts';

const { translate } = shellTexts;

/** The tenant's name. A member of several tenants switches between them. */
export function TenantSwitch({ isNarrow = false }: { readonly isNarrow?: boolean }) {
  const { tenant_name, tenant_id } = useMembership();
  const { memberships } = useSession();
  const isSwitch = memberships.length > 1;
  const name = (
    <>
      <Avatar name={tenant_name} isSquare />
      {isNarrow ? null : (
        <span className={classes.name} aria-hidden={isSwitch}>
          {tenant_name}
        </span>
      )}
    </>
  );
  if (!isSwitch) return <div className={classes.switch}>{name}</div>;
  const entries = memberships.map((membership) => ({
    id: membership.tenant_id,
    title: membership.tenant_name,
    description: membership.tenant_code,
    href: `/t/${membership.tenant_code}`,
    isCurrent: membership.tenant_id === tenant_id,
  }));
  return (
    <Menu
      label={translate('tenant.others')}
      placement="bottom start"
      groups={[{ title: translate('tenant.others'), entries }]}
      trigger={
        <PlainButton className={classes.switch}>
          <span className="visually-hidden">{translate('tenant.switch', { name: tenant_name })}</span>
          {name}
          {isNarrow ? null : <Icon name="chevrons-up-down" size={14} className={classes.arrows} />}
        </PlainButton>
      }
    />
  );
}

import { Link, Navigate } from '@tanstack/react-router';
import type { SessionMembership } from '../../session/session.ts';
import { useSession } from '../../session/session-context.tsx';
import { UserFrame } from '../../shell/user-frame.tsx';
import { Avatar } from '../../ui/avatar.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Icon } from '../../ui/icon.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import classes from './tenants.module.css';
import { texts } from './texts.ts';

const { translate } = texts;

/** The tenants of the user. A user of only one goes there at once. */
export function Tenants() {
  const { memberships } = useSession();
  const [only] = memberships;
  if (memberships.length === 1 && only !== undefined)
    return <Navigate to="/t/$tenant" params={{ tenant: only.tenant_code }} replace />;
  return (
    <UserFrame>
      <PageHeader title={translate('title')} />
      {memberships.length === 0 ? <EmptyState title={translate('none.text')} /> : null}
      <ul className={classes.list}>
        {memberships.map((membership) => (
          <li key={membership.tenant_id}>
            <TenantLink membership={membership} />
          </li>
        ))}
      </ul>
    </UserFrame>
  );
}

function TenantLink({ membership }: { readonly membership: SessionMembership }) {
  const { tenant_code, tenant_name, is_tenant_admin, units } = membership;
  return (
    <Link className={classes.link} to="/t/$tenant" params={{ tenant: tenant_code }}>
      <Avatar name={tenant_name} size={32} isSquare />
      <span className={classes.words}>
        <span className={classes.name}>{tenant_name}</span>
        <span className={classes.role}>
          {is_tenant_admin ? translate('owner') : translate('units', { count: units.length })}
        </span>
      </span>
      <Icon name="chevron-right" className={classes.arrow} />
    </Link>
  );
}

import { useNavigate } from '@tanstack/react-router';
import type { schemas } from '../../../sdk/src/index.ts';
import { DraftBadge } from '../../drafts/draft-badge.tsx';
import { useMembership } from '../../session/session-context.tsx';
import { useTenantQuery } from '../../session/use-tenant-query.ts';
import { ownerReason } from '../../shell/owner-reason.ts';
import { QueryTable } from '../../table/query-table.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import type { Column } from '../../ui/column.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Page } from '../../ui/page.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { SegmentedControl } from '../../ui/segmented-control.tsx';
import { unitsRoute } from './index.ts';
import { texts } from './texts.ts';
import { UnitActions } from './unit-actions.tsx';
import { NEW_UNIT, UnitDrawers } from './unit-drawers.tsx';
import classes from './units.module.css';

const { translate } = texts;

/** The active or the archived business units. */
export function Units() {
  const { archived = false } = unitsRoute.useSearch();
  const navigate = useNavigate({ from: unitsRoute.fullPath });
  const membership = useMembership();
  const query = useTenantQuery(['units', { archived }], (api, options) =>
    api.businessUnits.list(archived ? { archived } : {}, options),
  );
  const show = (choice: string) => void navigate({ search: choice === 'archived' ? { archived: true } : {} });
  return (
    <Page>
      <PageHeader
        title={translate('title')}
        description={translate('intro', { tenant: membership.tenant_name })}
        actions={
          <>
            <DraftBadge {...NEW_UNIT} />
            <Button
              variant="primary"
              icon="plus"
              disabledReason={ownerReason(membership)}
              onPress={() => void navigate({ search: { new: true } })}
            >
              {translate('create')}
            </Button>
          </>
        }
      />
      <SegmentedControl
        label={translate('title')}
        value={archived ? 'archived' : 'active'}
        onChange={show}
        options={[
          { id: 'active', title: translate('active') },
          { id: 'archived', title: translate('archived') },
        ]}
      />
      <QueryTable
        label={translate('title')}
        query={query}
        rowsOf={(data) => data.business_units}
        columns={columns()}
        keyOf={(unit) => unit.bu_id}
        actionsOf={(unit) => <UnitActions unit={unit} isArchived={archived} />}
        empty={<EmptyState title={translate('archived.empty.text')} />}
      />
      <UnitDrawers units={query.data?.business_units ?? []} />
    </Page>
  );
}

function columns(): Column<schemas.BusinessUnit>[] {
  return [
    { id: 'name', title: translate('column.name'), cell: (unit) => <Name unit={unit} /> },
    { id: 'slug', title: translate('column.slug'), cell: (unit) => unit.slug },
  ];
}

function Name({ unit: { name, is_default } }: { readonly unit: schemas.BusinessUnit }) {
  return (
    <span className={classes.name}>
      {name}
      {is_default ? <Badge>{translate('default')}</Badge> : null}
    </span>
  );
}

import { useNavigate } from '@tanstack/react-router';
import type { schemas } from '../../../sdk/src/index.ts';
import { useTenantQuery } from '../../session/use-tenant-query.ts';
import { useTenantPath } from '../../shell/tenant-path.ts';
import { QueryTable } from '../../table/query-table.tsx';
import type { Column } from '../../ui/column.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { Page } from '../../ui/page.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { lazyWhenIdle } from '../../ui/when-idle.tsx';
import { domainsRoute } from './index.ts';
import { DomainBadge, summaryOf } from './status.tsx';
import { texts } from './texts.ts';

const { translate } = texts;
// After the rows: the drawer needs the components of forms.
const AddDomainDrawer = lazyWhenIdle(async () => (await import('./add-domain.tsx')).AddDomainDrawer);

/** The sending domains of the tenant. */
export function Domains() {
  const { new: isNew = false } = domainsRoute.useSearch();
  const navigate = useNavigate({ from: domainsRoute.fullPath });
  const pathOf = useTenantPath();
  const query = useTenantQuery(['domains'], (api, options) => api.sendingDomains.list(options));
  const addButton = (
    <LinkButton href={pathOf('settings/domains', { new: true })} variant="primary" icon="plus">
      {translate('add')}
    </LinkButton>
  );
  return (
    <Page>
      <PageHeader title={translate('title')} description={translate('intro')} actions={addButton} />
      <QueryTable
        label={translate('title')}
        query={query}
        rowsOf={(domains) => domains}
        columns={columns()}
        keyOf={({ domain }) => domain}
        hrefOf={({ domain }) => pathOf(`settings/domains/${domain}`)}
        empty={<EmptyState drawing="message" title={translate('empty')} action={addButton} />}
      />
      <AddDomainDrawer isOpen={isNew} onClose={() => void navigate({ search: {} })} />
    </Page>
  );
}

function columns(): Column<schemas.SendingDomain>[] {
  return [
    { id: 'domain', title: translate('column.domain'), cell: ({ domain }) => domain },
    {
      id: 'state',
      title: translate('column.state'),
      cell: ({ status }) => <DomainBadge status={status} />,
    },
    { id: 'records', title: translate('column.records'), cell: ({ status }) => summaryOf(status) },
    {
      id: 'added',
      title: translate('column.added'),
      cell: ({ creation_time }) => <RelativeTime value={creation_time} />,
    },
  ];
}

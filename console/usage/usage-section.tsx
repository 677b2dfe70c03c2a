import type { UseQueryResult } from '@tanstack/react-query';
import type { schemas } from '../../sdk/src/index.ts';
import { kindTitle } from '../kinds/kind-title.ts';
import { useRecordPath } from '../shell/record-path.ts';
import { QueryTable } from '../table/query-table.tsx';
import { Badge } from '../ui/badge.tsx';
import type { Column } from '../ui/column.ts';
import { Section } from '../ui/section.tsx';
import { usageTexts } from './texts.ts';

const { translate } = usageTexts;

/** Most records that the section shows; the API has more. */
const MAX_SHOWN = 100;

/** The records that use another one, with links. The loader of the screen loads `usageTexts` and `kindTexts`. */
export function UsageSection({ query }: { readonly query: UseQueryResult<schemas.Usage> }) {
  const recordPath = useRecordPath();
  const count = query.data?.results.length ?? 0;
  return (
    <Section
      title={translate('title')}
      {...(count > MAX_SHOWN ? { description: translate('first', { shown: MAX_SHOWN, count }) } : {})}
    >
      <QueryTable
        label={translate('title')}
        query={query}
        rowsOf={({ results }) => results.slice(0, MAX_SHOWN)}
        columns={columns()}
        keyOf={({ entity_type, key }) => `${entity_type} ${key}`}
        hrefOf={({ entity_type, key }) => recordPath(entity_type, key)}
        empty={<p>{translate('none')}</p>}
      />
    </Section>
  );
}

function columns(): Column<schemas.UsingRecord>[] {
  return [
    { id: 'name', title: translate('name'), cell: ({ title }) => title },
    { id: 'kind', title: translate('kind'), cell: ({ entity_type }) => kindTitle(entity_type) },
    {
      id: 'state',
      title: translate('state'),
      cell: ({ is_active: isActive }) =>
        isActive ? (
          <Badge tone="success">{translate('active')}</Badge>
        ) : (
          <Badge>{translate('inactive')}</Badge>
        ),
    },
  ];
}

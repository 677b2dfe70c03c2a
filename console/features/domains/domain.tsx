import { useState } from 'react';
import type { schemas } from '../../../sdk/src/index.ts';
import { useTenantQuery } from '../../session/use-tenant-query.ts';
import { MissingRecord } from '../../shell/missing-record.tsx';
import { useTenantPath } from '../../shell/tenant-path.ts';
import { UnreadRecord } from '../../shell/unread-record.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { DescriptionList } from '../../ui/description-list.tsx';
import { Page } from '../../ui/page.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { Section } from '../../ui/section.tsx';
import { CheckButton } from './check-button.tsx';
import { DomainNotice } from './domain-notice.tsx';
import { domainRoute } from './index.ts';
import { RecordList } from './record-list.tsx';
import { printRecords } from './record-text.ts';
import { recordsOf } from './records.ts';
import { Compliance, DomainBadge, isComplete } from './status.tsx';
import { texts } from './texts.ts';
import { useDomainMenu } from './use-domain-menu.tsx';

const { translate } = texts;

/** One sending domain: the DNS records to publish, and what was found of them. */
export function DomainScreen() {
  const { domain: name } = domainRoute.useParams();
  const pathOf = useTenantPath();
  const query = useTenantQuery(['domains'], (api, options) => api.sendingDomains.list(options));
  const { data } = query;
  if (data === undefined)
    return (
      <Page>
        <UnreadRecord title={name} query={query} />
      </Page>
    );
  const domain = data.find((each) => each.domain === name);
  if (domain === undefined)
    return (
      <MissingRecord
        title={translate('missing.title')}
        text={translate('missing.text')}
        back={translate('missing.back')}
        href={pathOf('settings/domains')}
      />
    );
  return <Content key={name} domain={domain} />;
}

function Content({ domain }: { readonly domain: schemas.SendingDomain }) {
  const { domain: name, status, creation_time } = domain;
  const [checkedAt, setCheckedAt] = useState<Date | null>(null);
  // Known only after a check, because the server stores the results alone.
  const [found, setFound] = useState<readonly schemas.DnsRecord[]>([]);
  const { menu, question } = useDomainMenu(domain);
  const records = recordsOf(domain, found);
  return (
    <Page>
      <PageHeader
        title={name}
        status={<DomainBadge status={status} />}
        menu={menu}
        actions={
          <CheckButton
            domain={name}
            onChecked={(checked) => {
              setCheckedAt(new Date());
              setFound(checked);
            }}
          />
        }
      />
      <DomainNotice domain={domain} checkedAt={checkedAt} />
      <DescriptionList
        items={[
          { term: translate('compliance'), value: <Compliance status={status} /> },
          ...(domain.is_default_bounce_domain
            ? [{ term: translate('bounces'), value: translate('bounces.default') }]
            : []),
          { term: translate('column.added'), value: <RelativeTime value={creation_time} /> },
        ]}
      />
      <Section
        title={translate('column.records')}
        description={translate(isComplete(status) ? 'records.keep' : 'records.text')}
        actions={
          <CopyButton
            text={printRecords(name, records)}
            label={translate('records.copy')}
            size="small"
            isLabelVisible
          />
        }
      >
        <RecordList records={records} />
      </Section>
      {question}
    </Page>
  );
}

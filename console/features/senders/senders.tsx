import { useNavigate } from '@tanstack/react-router';
import type { schemas } from '../../../sdk/src/index.ts';
import { DraftBadge } from '../../drafts/draft-badge.tsx';
import { useEditedEntry } from '../../email-settings/use-edited-entry.ts';
import { useEmailSettings } from '../../email-settings/use-email-settings.ts';
import { useTenantPath } from '../../shell/tenant-path.ts';
import { QueryTable } from '../../table/query-table.tsx';
import { Badge } from '../../ui/badge.tsx';
import type { Column } from '../../ui/column.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { Page } from '../../ui/page.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { lazyWhenIdle } from '../../ui/when-idle.tsx';
import { sendersRoute } from './index.ts';
import { defaultAddressOf, domainOf, isVerified, unverifiedAddresses } from './sender.ts';
import { NEW_SENDER, SENDERS } from './sender-draft.ts';
import { SenderMenu } from './sender-menu.tsx';
import classes from './senders.module.css';
import { texts } from './texts.ts';

const { translate } = texts;
// After the rows: the drawers need the components of forms.
const loadDrawers = () => import('./sender-drawers.tsx');
const AddSenderDrawer = lazyWhenIdle(async () => (await loadDrawers()).AddSenderDrawer);
const EditSenderDrawer = lazyWhenIdle(async () => (await loadDrawers()).EditSenderDrawer);

/** The senders of the tenant. */
export function Senders() {
  const pathOf = useTenantPath();
  const query = useEmailSettings();
  const { data: settings } = query;
  const addButton = (
    <LinkButton href={pathOf('settings/senders', { new: true })} variant="primary" icon="plus">
      {translate('add')}
    </LinkButton>
  );
  return (
    <Page>
      <PageHeader
        title={translate('title')}
        description={translate('intro')}
        actions={
          <>
            <DraftBadge {...NEW_SENDER} />
            {addButton}
          </>
        }
      />
      <QueryTable
        label={translate('title')}
        query={query}
        rowsOf={(data) => data.sender_identities}
        columns={settings === undefined ? [] : columnsOf(settings)}
        keyOf={({ from_email_address }) => from_email_address}
        hrefOf={({ from_email_address }) => pathOf('settings/senders', { edit: from_email_address })}
        actionsOf={({ from_email_address: address }) => (
          <SenderMenu
            address={address}
            unverified={settings === undefined ? [] : unverifiedAddresses(settings)}
            canBeDefault={
              settings !== undefined &&
              isVerified(settings, domainOf(address)) &&
              defaultAddressOf(settings) !== address
            }
          />
        )}
        empty={
          settings?.sending_domains.some(({ status }) => status.ownership_verified) ? (
            <EmptyState drawing="message" title={translate('empty')} action={addButton} />
          ) : (
            <EmptyState
              drawing="message"
              title={translate('empty.domains')}
              action={<LinkButton href={pathOf('settings/domains')}>{translate('empty.open')}</LinkButton>}
            />
          )
        }
      />
      {settings === undefined ? null : <Drawers settings={settings} />}
    </Page>
  );
}

/** The drawers; the URL says which one is open. */
function Drawers({ settings }: { readonly settings: schemas.EmailSettings }) {
  const { new: isNew = false, edit } = sendersRoute.useSearch();
  const navigate = useNavigate({ from: sendersRoute.fullPath });
  const close = () => void navigate({ search: {} });
  const edited = useEditedEntry(SENDERS, settings, edit);
  return (
    <>
      <AddSenderDrawer settings={settings} isOpen={isNew} onClose={close} />
      <EditSenderDrawer settings={settings} sender={edited} isOpen={edited !== undefined} onClose={close} />
    </>
  );
}

function columnsOf(settings: schemas.EmailSettings): Column<schemas.SenderIdentity>[] {
  const defaultAddress = defaultAddressOf(settings);
  return [
    {
      id: 'name',
      title: translate('name'),
      cell: ({ from_name, from_email_address }) => (from_name === '' ? from_email_address : from_name),
    },
    { id: 'address', title: translate('address'), cell: (sender) => <Address sender={sender} /> },
    {
      id: 'state',
      title: translate('column.state'),
      cell: ({ from_email_address: address }) => {
        if (address === defaultAddress) return <Badge tone="success">{translate('state.default')}</Badge>;
        return isVerified(settings, domainOf(address)) ? (
          <Badge tone="success">{translate('state.ready')}</Badge>
        ) : (
          <Badge tone="warning">{translate('state.unverified')}</Badge>
        );
      },
    },
  ];
}

/** The address of a sender, and the one that gets replies if it is another. */
function Address({ sender: { from_email_address, reply_to } }: { readonly sender: schemas.SenderIdentity }) {
  return (
    <span className={classes.address}>
      {from_email_address}
      {reply_to === '' ? null : (
        <span className={classes.reply}>{translate('reply.of', { address: reply_to })}</span>
      )}
    </span>
  );
}

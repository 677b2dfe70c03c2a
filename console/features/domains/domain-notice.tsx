import type { schemas } from '../../../sdk/src/index.ts';
import { useTenantPath } from '../../shell/tenant-path.ts';
import { formatDate } from '../../texts/formats.ts';
import type { Tone } from '../../ui/badge.tsx';
import { Banner } from '../../ui/banner.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { RECORD_KINDS } from './records.ts';
import { countFound, isComplete, summaryOf } from './status.tsx';
import { texts } from './texts.ts';

const { translate } = texts;

const TONES = {
  complete: 'success',
  incomplete: 'warning',
  wrong: 'danger',
  waiting: 'info',
} as const satisfies Record<string, Tone>;

interface DomainNoticeProps {
  readonly domain: schemas.SendingDomain;
  /** Time of the check that the user has just made; null before it. */
  readonly checkedAt: Date | null;
}

/** The result of a check, and what to do next. Shows nothing if all records were found before. */
export function DomainNotice({ domain: { domain, status }, checkedAt }: DomainNoticeProps) {
  const state = stateOf(status);
  if (state === 'complete' && checkedAt === null) return null;
  return (
    <Banner
      tone={TONES[state]}
      title={translate(`notice.${state}`)}
      action={status.ownership_verified ? <AddSenderLink /> : undefined}
      isLive
    >
      {checkedAt === null ? null : <p>{resultOf(status, checkedAt)}</p>}
      {state === 'complete' ? null : <p>{translate(`notice.${state}.text`, { domain })}</p>}
    </Banner>
  );
}

/** Leads to the next step, once the domain can send. */
function AddSenderLink() {
  const pathOf = useTenantPath();
  return (
    <LinkButton size="small" href={pathOf('settings/senders', { new: true })}>
      {translate('notice.sender')}
    </LinkButton>
  );
}

function stateOf(status: schemas.DomainStatus): keyof typeof TONES {
  if (isComplete(status)) return 'complete';
  if (status.ownership_verified) return 'incomplete';
  return status.dkim_status === 'invalid' ? 'wrong' : 'waiting';
}

function resultOf(status: schemas.DomainStatus, checkedAt: Date): string {
  const time = formatDate(checkedAt, 'time');
  if (isComplete(status)) return translate('notice.checked', { time });
  return translate('notice.result', {
    time,
    found: countFound(status),
    count: RECORD_KINDS.length,
    summary: summaryOf(status),
  });
}

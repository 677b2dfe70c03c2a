import type { schemas } from '../../../sdk/src/index.ts';
import { activeLocale } from '../../texts/texts.ts';
import { Badge, type Tone } from '../../ui/badge.tsx';
import { kindsIn, RECORD_KINDS, type RecordState } from './records.ts';
import classes from './status.module.css';
import { texts } from './texts.ts';

const { translate } = texts;

const RECORD_TONES = { valid: 'success', pending: 'warning', invalid: 'danger' } as const satisfies Record<
  RecordState,
  Tone
>;

/** Shows whether mail can be sent from a domain. */
export function DomainBadge({ status }: { readonly status: schemas.DomainStatus }) {
  if (status.ownership_verified) return <Badge tone="success">{translate('state.ready')}</Badge>;
  if (status.dkim_status === 'invalid') return <Badge tone="danger">{translate('state.wrong')}</Badge>;
  return <Badge tone="warning">{translate('state.waiting')}</Badge>;
}

/** Shows what the last check found of a record. */
export function RecordBadge({ state }: { readonly state: RecordState }) {
  return <Badge tone={RECORD_TONES[state]}>{translate(`record.${state}`)}</Badge>;
}

/** Shows whether a domain has what large mailbox providers ask for, and what that is. */
export function Compliance({
  status: { compliance_status: state },
}: {
  readonly status: schemas.DomainStatus;
}) {
  return (
    <span className={classes.fact}>
      {state === 'valid' ? (
        <Badge tone="success">{translate('compliance.met')}</Badge>
      ) : (
        <Badge tone="warning">{translate('compliance.missing')}</Badge>
      )}
      {translate('compliance.text')}
    </span>
  );
}

/** Returns which records are wrong or missing, such as "Not found yet: SPF and DMARC". */
export function summaryOf(status: schemas.DomainStatus): string {
  const [wrong, missing] = [listOf('invalid', status), listOf('pending', status)];
  const parts = [
    ...(wrong === '' ? [] : [translate('summary.wrong', { records: wrong })]),
    ...(missing === '' ? [] : [translate('summary.missing', { records: missing })]),
  ];
  return parts.length === 0 ? translate('summary.all') : parts.join(' · ');
}

/** Returns the number of records that were found. */
export function countFound(status: schemas.DomainStatus): number {
  return kindsIn('valid', status).length;
}

/** True if all records were found. */
export function isComplete(status: schemas.DomainStatus): boolean {
  return countFound(status) === RECORD_KINDS.length;
}

function listOf(state: RecordState, status: schemas.DomainStatus): string {
  const names = kindsIn(state, status).map((kind) => translate(`kind.${kind}`));
  return new Intl.ListFormat(activeLocale(), { type: 'conjunction' }).format(names);
}

import type { schemas } from '../../../sdk/src/index.ts';
import { actorName } from '../../history/actor-name.ts';
import { memberLabel } from '../../history/member-label.ts';
import { useSession } from '../../session/session-context.tsx';
import { useTenantPath } from '../../shell/tenant-path.ts';
import { formatDate } from '../../texts/formats.ts';
import { activeLocale } from '../../texts/texts.ts';
import { Icon } from '../../ui/icon.tsx';
import type { IconName } from '../../ui/icon-names.ts';
import { Moment } from '../../ui/moment.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { subscriberFields } from './subscriber-draft.ts';
import { texts } from './texts.ts';
import classes from './timeline.module.css';

const { translate } = texts;
type Entry = schemas.TimelineEntry;

const ICONS: Readonly<Record<Entry['kind'], IconName>> = {
  email: 'mail',
  open: 'eye',
  click: 'link',
  bounce: 'circle-alert',
  complaint: 'triangle-alert',
  unsubscribe: 'x',
  submission: 'scroll-text',
  journey: 'activity',
  consent: 'shield',
  edit: 'pencil',
};

interface TimelineRowProps {
  readonly entry: Entry;
  readonly subscriberId: string;
}

/** One entry: what happened, of what, why or by whom, and when. */
export function TimelineRow({ entry, subscriberId }: TimelineRowProps) {
  const pathOf = useTenantPath();
  const { user } = useSession();
  const { kind, title, at, key } = entry;
  const isVersion = kind === 'consent' || kind === 'edit';
  const words = isVersion ? changeText(entry.detail, user.id) : detailText(entry);
  const date = new Date(at);
  return (
    <li className={classes.entry}>
      <span className={classes.mark} data-kind={kind}>
        <Icon name={ICONS[kind]} />
      </span>
      <div className={classes.words}>
        <p className={classes.what}>
          <span className={classes.title}>
            {isVersion ? (
              <TextLink href={pathOf(`subscribers/${subscriberId}`, { history: Number(key) })}>
                {headOf(entry)}
              </TextLink>
            ) : (
              headOf(entry)
            )}
          </span>
          {title === null ? null : (
            <span className={classes.name} dir="auto">
              {title}
            </span>
          )}
        </p>
        {words === '' ? null : <p className={classes.detail}>{words}</p>}
      </div>
      <span className={classes.time}>
        <Moment date={date} text={formatDate(date, 'time')} />
      </span>
    </li>
  );
}

/** Returns what happened, in one or two words. */
function headOf({ kind, detail }: Entry): string {
  if (kind === 'edit' && detail.version === 1) return translate('timeline.created');
  return translate(`timeline.${kind}`);
}

/** Says how a mail or a journey went, or what was clicked. */
function detailText({ kind, detail: { status, reason, url, machine_reason: machine } }: Entry): string {
  return [
    kind === 'email' || kind === 'journey' ? statusText(kind, status) : '',
    url ?? '',
    reason ?? '',
    machine === undefined ? '' : translate('timeline.machine'),
  ]
    .filter((part) => part !== '')
    .join(' · ');
}

const MAIL_STATUSES = ['sent', 'queued', 'failed', 'suppressed', 'bounced'] as const;
const JOURNEY_STATUSES = ['active', 'completed', 'exited', 'failed'] as const;

function statusText(kind: 'email' | 'journey', status: string | undefined): string {
  if (kind === 'email') {
    const known = MAIL_STATUSES.find((each) => each === status);
    return known === undefined ? '' : translate(`timeline.email.${known}`);
  }
  const known = JOURNEY_STATUSES.find((each) => each === status);
  return known === undefined ? '' : translate(`timeline.journey.${known}`);
}

/** Says who made a version, and what it changed. */
function changeText(detail: schemas.TimelineDetail, userId: string): string {
  const { actor = null, active, choices = [], changed_fields: changed = [] } = detail;
  const consent = [
    ...choices.map(({ subscribed, name }) =>
      subscribed
        ? translate('timeline.consent.subscribed', { name })
        : translate('timeline.consent.unsubscribed', { name }),
    ),
    ...(active === undefined
      ? []
      : [translate(active ? 'timeline.consent.activated' : 'timeline.consent.deactivated')]),
  ];
  const fields = changed.map((member) => memberLabel(subscriberFields(), member, activeLocale()));
  const what = (consent.length > 0 ? consent : fields).join(', ');
  const values = { actor: actorName(actor, userId), what };
  return what === '' ? translate('timeline.by', values) : translate('timeline.by.what', values);
}

import { useState } from 'react';
import type { schemas } from '../../../sdk/src/index.ts';
import type { DraftFields } from '../../drafts/draft-fields.ts';
import { actorName } from '../../history/actor-name.ts';
import { memberLabel } from '../../history/member-label.ts';
import { kindTitle } from '../../kinds/kind-title.ts';
import { useSession } from '../../session/session-context.tsx';
import { useRecordPath } from '../../shell/record-path.ts';
import { useTenantPath } from '../../shell/tenant-path.ts';
import { formatDate } from '../../texts/formats.ts';
import { activeLocale } from '../../texts/texts.ts';
import { Icon } from '../../ui/icon.tsx';
import type { IconName } from '../../ui/icon-names.ts';
import { Moment } from '../../ui/moment.tsx';
import { PlainButton } from '../../ui/plain-button.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import classes from './activity.module.css';
import { texts } from './texts.ts';

const { translate } = texts;

/** Keys that say nothing to people: generated ids, and those of settings. */
const NAMELESS = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$|settings$/;

/** Fields that a row names at first. */
const SHOWN_FIELDS = 4;

const ICONS: Readonly<Record<schemas.Activity['action'], IconName>> = {
  created: 'plus',
  updated: 'pencil',
  deleted: 'trash',
  restored: 'undo-2',
};

interface ChangeRowProps {
  readonly change: schemas.Activity;
  /** The fields of the record with their labels, as far as they are known. */
  readonly fields: DraftFields;
}

/** One change: the record, what was done to it, its author and time. */
export function ChangeRow({ change, fields }: ChangeRowProps) {
  const { entity_type, key, action, at } = change;
  const kind = kindTitle(entity_type);
  const isNamed = change.title !== key || !NAMELESS.test(key);
  const title = isNamed ? change.title : kind;
  const href = usePathOfChange(change);
  const date = new Date(at);
  return (
    <li className={classes.change}>
      <span className={classes.mark} data-action={action}>
        <Icon name={ICONS[action]} />
      </span>
      <div className={classes.words}>
        <p className={classes.record}>
          <span className={classes.title} dir="auto">
            <TextLink href={href}>{title}</TextLink>
          </span>
          {isNamed ? <span className={classes.kind}>{kind}</span> : null}
        </p>
        <Summary change={change} fields={fields} />
      </div>
      <span className={classes.time}>
        <Moment date={date} text={formatDate(date, 'time')} />
      </span>
    </li>
  );
}

/** Says what was done, who did it, and which fields changed. */
function Summary({ change: { action, actor, changed_fields: changed }, fields }: ChangeRowProps) {
  const { user } = useSession();
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole || changed.length <= SHOWN_FIELDS + 1 ? changed : changed.slice(0, SHOWN_FIELDS);
  const isList = changed.length > 0 && (action === 'updated' || action === 'restored');
  const labels = shown.map((member) => memberLabel(fields, member, activeLocale()));
  const values = { actor: actorName(actor, user.id), fields: labels.join(', ') };
  return (
    <p className={classes.summary}>
      {translate(isList ? `action.${action}.fields` : `action.${action}`, values)}
      {shown.length === changed.length ? null : (
        <>
          {', '}
          <PlainButton className={classes.all} onPress={() => setWhole(true)}>
            {translate('fields.more', { count: changed.length - shown.length })}
          </PlainButton>
        </>
      )}
    </p>
  );
}

/** Returns the path of the version that a change made, or of the bin. */
function usePathOfChange({ entity_type, key, version, action }: schemas.Activity): string {
  const recordPath = useRecordPath();
  const pathOf = useTenantPath();
  return action === 'deleted'
    ? pathOf('bin', { kind: entity_type, search: key })
    : recordPath(entity_type, key, version);
}

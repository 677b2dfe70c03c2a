import { CopyButton } from '../../ui/copy-button.tsx';
import classes from './record-list.module.css';
import type { PublishedRecord } from './records.ts';
import { RecordBadge } from './status.tsx';
import { texts } from './texts.ts';

const { translate } = texts;

/** DNS records to publish: what each is for, what was found of it, and what to do about that. */
export function RecordList({ records }: { readonly records: readonly PublishedRecord[] }) {
  return (
    <ul className={classes.list}>
      {records.map((record) => (
        <RecordItem key={record.kind} record={record} />
      ))}
    </ul>
  );
}

function RecordItem({ record }: { readonly record: PublishedRecord }) {
  const { kind, state, type, name, value, found = [] } = record;
  const title = translate(`kind.${kind}`);
  return (
    <li className={classes.record}>
      <div className={classes.purpose}>
        <div className={classes.line}>
          <h3 className={classes.title}>{title}</h3>
          <RecordBadge state={state} />
        </div>
        <p className={classes.text}>{translate(`purpose.${kind}`)}</p>
        {state === 'valid' ? null : (
          <p className={classes.advice}>
            {translate(state === 'invalid' ? `wrong.${kind}` : `missing.${kind}`)}
          </p>
        )}
      </div>
      <dl className={classes.parts}>
        <div className={classes.part}>
          <dt>{translate('type')}</dt>
          <dd>
            <code>{type}</code>
          </dd>
        </div>
        <Part term={translate('name')} text={name} copy={translate('name.copy', { record: title })} />
        <Part term={translate('value')} text={value} copy={translate('value.copy', { record: title })} />
        {state === 'invalid' && found.length > 0 ? (
          <div className={classes.part}>
            <dt>{translate('found')}</dt>
            {[...new Set(found)].map((each) => (
              <dd key={each}>
                {/* The name of a null MX. */}
                <code dir="ltr">{each === '' ? '.' : each}</code>
              </dd>
            ))}
          </div>
        ) : null}
      </dl>
    </li>
  );
}

interface PartProps {
  readonly term: string;
  readonly text: string;
  /** Name of the button that copies the text. */
  readonly copy: string;
}

function Part({ term, text, copy }: PartProps) {
  return (
    <div className={classes.part}>
      <dt>{term}</dt>
      <dd>
        <code dir="ltr">{text}</code>
        <CopyButton text={text} label={copy} size="small" />
      </dd>
    </div>
  );
}

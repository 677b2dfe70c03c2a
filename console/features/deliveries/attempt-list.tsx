import type { schemas } from '../../../sdk/src/index.ts';
import { Badge } from '../../ui/badge.tsx';
import { CodeBlock } from '../../ui/code-block.tsx';
import { Icon } from '../../ui/icon.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import classes from './attempt-list.module.css';
import { headerLines, readable } from './request-view.tsx';
import { durationText } from './status.tsx';
import { texts } from './texts.ts';

const { translate } = texts;

/** Attempts of a delivery. Each opens and shows the answer; the first one is open. */
export function AttemptList({ attempts }: { readonly attempts: readonly schemas.DeliveryAttempt[] }) {
  const [first] = attempts;
  return (
    <ol className={classes.list}>
      {attempts.map((attempt) => (
        <li key={attempt.n} className={classes.item}>
          <Attempt attempt={attempt} isOpen={attempt === first} />
        </li>
      ))}
    </ol>
  );
}

interface AttemptProps {
  readonly attempt: schemas.DeliveryAttempt;
  readonly isOpen: boolean;
}

function Attempt({ attempt, isOpen }: AttemptProps) {
  const { n, started_at, duration_ms, status_code: code, error, blocked_by } = attempt;
  return (
    <details className={classes.attempt} open={isOpen}>
      <summary className={classes.summary}>
        <Icon name="chevron-right" className={classes.arrow} />
        <span className={classes.number}>{translate('attempt', { n })}</span>
        <Badge tone={error === null ? 'success' : 'danger'}>
          {code === null ? translate('attempt.none') : translate('answer.status', { code: String(code) })}
        </Badge>
        <span className={classes.duration}>{durationText(duration_ms)}</span>
        <span className={classes.time}>
          <RelativeTime value={started_at} />
        </span>
      </summary>
      <div className={classes.content}>
        {error === null ? null : <p className={classes.error}>{error}</p>}
        {blocked_by === null ? null : <p className={classes.error}>{translate('attempt.blocked')}</p>}
        <Answer attempt={attempt} />
      </div>
    </details>
  );
}

function Answer({ attempt }: Pick<AttemptProps, 'attempt'>) {
  const { n, response_headers: headers, response_body: body } = attempt;
  if (headers === null || body === null) return null;
  return (
    <>
      <CodeBlock
        isLabelVisible
        label={translate('attempt.headers', { n })}
        code={headerLines(headers).join('\n')}
      />
      {body === '' ? (
        <p className={classes.empty}>{translate('attempt.empty')}</p>
      ) : (
        <CodeBlock isLabelVisible label={translate('attempt.body', { n })} code={readable(body)} />
      )}
    </>
  );
}

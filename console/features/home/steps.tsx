import { Card } from '../../ui/card.tsx';
import { Icon } from '../../ui/icon.tsx';
import type { IconName } from '../../ui/icon-names.ts';
import { LinkButton } from '../../ui/link-button.tsx';
import classes from './steps.module.css';
import { texts } from './texts.ts';

const { translate } = texts;

/** A step of setting up a tenant. */
export interface Step {
  readonly icon: IconName;
  readonly title: string;
  readonly text: string;
  readonly action: string;
  readonly href: string;
  readonly isDone: boolean;
}

/** Steps in a list. The first that is open has the primary button. */
export function Steps({ steps }: { readonly steps: readonly Step[] }) {
  const next = steps.find((step) => !step.isDone);
  return (
    <Card isFlush>
      <ol className={classes.steps}>
        {steps.map((step) => (
          <StepRow key={step.title} step={step} isNext={step === next} />
        ))}
      </ol>
    </Card>
  );
}

function StepRow({ step, isNext }: { readonly step: Step; readonly isNext: boolean }) {
  const { icon, title, text, action, href, isDone } = step;
  return (
    <li className={classes.step} data-done={isDone || undefined}>
      <span className={classes.mark}>
        <Icon name={isDone ? 'check' : icon} />
      </span>
      <div className={classes.words}>
        <h2 className={classes.title}>
          {title}
          {isDone ? <span className="visually-hidden"> ({translate('done')})</span> : null}
        </h2>
        <p className={classes.text}>{text}</p>
      </div>
      <LinkButton href={href} variant={isNext ? 'primary' : 'secondary'}>
        {action}
      </LinkButton>
    </li>
  );
}

import { useState } from 'react';
import { useMembership } from '../../session/session-context.tsx';
import { Icon } from '../../ui/icon.tsx';
import { PlainButton } from '../../ui/plain-button.tsx';
import { useMemberSteps } from './member-steps.tsx';
import { useOwnerSteps } from './owner-steps.tsx';
import classes from './steps.module.css';
import { type Step, Steps } from './steps.tsx';
import { texts } from './texts.ts';

const { translate } = texts;

interface FirstStepsProps {
  readonly setup: Readonly<Record<string, boolean>>;
  /** The tenant is in use: only the line with the number of steps is shown. */
  readonly isFolded: boolean;
}

/** The first steps of the user; nothing once all are done. */
export function FirstSteps({ setup, isFolded }: FirstStepsProps) {
  const { is_tenant_admin } = useMembership();
  return is_tenant_admin ? (
    <OwnerSteps setup={setup} isFolded={isFolded} />
  ) : (
    <MemberSteps isFolded={isFolded} />
  );
}

function OwnerSteps({ setup, isFolded }: FirstStepsProps) {
  return <FoldedSteps steps={useOwnerSteps(setup)} isFolded={isFolded} />;
}

/** The steps of members are advice that is never done, so they are shown only while the tenant is new. */
function MemberSteps({ isFolded }: Pick<FirstStepsProps, 'isFolded'>) {
  const steps = useMemberSteps();
  return isFolded ? null : <Steps steps={steps} />;
}

function FoldedSteps({ steps, isFolded }: { readonly steps: readonly Step[]; readonly isFolded: boolean }) {
  const [isOpen, setOpen] = useState(false);
  const done = steps.filter((step) => step.isDone).length;
  if (!isFolded) return <Steps steps={steps} />;
  if (done === steps.length) return null;
  return (
    <div className={classes.folded}>
      <PlainButton className={classes.fold} isExpanded={isOpen} onPress={() => setOpen(!isOpen)}>
        <Icon name={isOpen ? 'chevron-down' : 'chevron-right'} />
        <span className={classes.foldTitle}>{translate('steps')}</span>
        <span className={classes.text}>{translate('steps.count', { done, count: steps.length })}</span>
      </PlainButton>
      {isOpen ? <Steps steps={steps} /> : null}
    </div>
  );
}

import { useTenantPath } from '../shell/tenant-path.ts';
import { PlainButton } from '../ui/plain-button.tsx';
import { Popover } from '../ui/popover.tsx';
import { Spinner } from '../ui/spinner.tsx';
import { TextLink } from '../ui/text-link.tsx';
import { operationName } from './operation-name.ts';
import { OperationProgress } from './operation-progress.tsx';
import classes from './running-operations.module.css';
import { operationTexts } from './texts.ts';
import { useRunning } from './use-running.ts';

const { translate } = operationTexts;

/** The running operations in the top bar: their number, and their progress in a popover. Nothing while none runs. */
export function RunningOperations() {
  const running = useRunning();
  const pathOf = useTenantPath();
  if (running.length === 0) return null;
  return (
    <Popover
      placement="bottom end"
      trigger={
        <PlainButton className={classes.button} label={translate('running', { count: running.length })}>
          <Spinner />
          <span aria-hidden="true">{running.length}</span>
        </PlainButton>
      }
    >
      <div className={classes.popover}>
        <h2 className={classes.title}>{translate('running.title')}</h2>
        <ul className={classes.list}>
          {running.map((operation) => (
            <li key={operation.id}>
              <span className={classes.name}>
                <TextLink href={pathOf(`operations/${operation.id}`)}>{operationName(operation)}</TextLink>
              </span>
              <OperationProgress operation={operation} />
            </li>
          ))}
        </ul>
        <TextLink href={pathOf('operations')}>{translate('running.all')}</TextLink>
      </div>
    </Popover>
  );
}

import type { schemas } from '../../sdk/src/index.ts';
import { ApiCallButton } from '../forms/api-call/api-call-button.tsx';
import type { Operation } from '../forms/operation.ts';
import { formatNumber } from '../texts/formats.ts';
import { Banner } from '../ui/banner.tsx';
import { Button } from '../ui/button.tsx';
import { CodeBlock } from '../ui/code-block.tsx';
import { Dialog } from '../ui/dialog.tsx';
import classes from './test-dialog.module.css';
import { webhookTestTexts } from './texts.ts';

const { translate } = webhookTestTexts;

interface TestDialogProps {
  /** Name of the webhook. */
  readonly name: string;
  /** Null until the receiver has answered: the dialog is closed. */
  readonly reply: schemas.WebhookTestReply | null;
  readonly operation: Operation;
  /** Parameters in the operation's path. */
  readonly path: readonly string[];
  readonly onClose: () => void;
}

/** Shows what the receiver of a test request has answered. */
export function TestDialog({ name, reply, operation, path, onClose }: TestDialogProps) {
  return (
    <Dialog title={translate('title', { name })} isOpen={reply !== null} onClose={onClose}>
      {reply === null ? null : <Result reply={reply} />}
      <div className={classes.actions}>
        <ApiCallButton operation={operation} path={path} />
        <Button variant="primary" onPress={onClose} autoFocus>
          {translate('done')}
        </Button>
      </div>
    </Dialog>
  );
}

function Result({ reply }: { readonly reply: schemas.WebhookTestReply }) {
  const { success, response_body: body } = reply;
  return (
    <div className={classes.result}>
      <Banner tone={success ? 'success' : 'danger'}>{summaryOf(reply)}</Banner>
      {body === undefined ? null : body === '' ? (
        <p className={classes.empty}>{translate('empty')}</p>
      ) : (
        <CodeBlock label={translate('body')} code={body} />
      )}
    </div>
  );
}

function summaryOf({ success, status_code: status, error, duration_ms }: schemas.WebhookTestReply): string {
  const duration =
    duration_ms < 1_000
      ? translate('milliseconds', { ms: duration_ms })
      : translate('seconds', { seconds: formatNumber(duration_ms / 1_000, { maximumFractionDigits: 1 }) });
  if (status === undefined) return translate('failed', { duration, error: error ?? '' });
  return translate(success ? 'success' : 'refused', { status: String(status), duration });
}

import test from 'operation:webhooks.test';
import { useState } from 'react';
import type { schemas } from '../../../sdk/src/index.ts';
import { ApiCallButton } from '../../forms/api-call/api-call-button.tsx';
import { useAccessReason } from '../../forms/use-access-reason.ts';
import { useAction } from '../../forms/use-action.ts';
import { useApi } from '../../session/session-context.tsx';
import { formatNumber } from '../../texts/formats.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { CodeBlock } from '../../ui/code-block.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import classes from './test-button.module.css';
import { texts } from './texts.ts';

const { translate } = texts;

/** Sends a test request, and shows what the receiver answered. */
export function TestButton({ webhook: { id, name } }: { readonly webhook: schemas.Webhook }) {
  const api = useApi();
  const disabledReason = useAccessReason(test);
  const [reply, setReply] = useState<schemas.WebhookTestReply | null>(null);
  const { run, isPending } = useAction(async () => setReply(await api.webhooks.test(id)));
  const close = () => setReply(null);
  return (
    <>
      <Button icon="send" onPress={run} isPending={isPending} disabledReason={disabledReason}>
        {translate('test')}
      </Button>
      <Dialog title={translate('test.title', { name })} isOpen={reply !== null} onClose={close}>
        {reply === null ? null : <Result reply={reply} />}
        <div className={classes.actions}>
          <ApiCallButton operation={test} path={[id]} />
          <Button variant="primary" onPress={close} autoFocus>
            {translate('test.done')}
          </Button>
        </div>
      </Dialog>
    </>
  );
}

function Result({ reply }: { readonly reply: schemas.WebhookTestReply }) {
  const { success, response_body: body } = reply;
  return (
    <div className={classes.result}>
      <Banner tone={success ? 'success' : 'danger'}>{summaryOf(reply)}</Banner>
      {body === undefined ? null : body === '' ? (
        <p className={classes.empty}>{translate('test.empty')}</p>
      ) : (
        <CodeBlock label={translate('test.body')} code={body} />
      )}
    </div>
  );
}

function summaryOf({ success, status_code: status, error, duration_ms }: schemas.WebhookTestReply): string {
  const duration =
    duration_ms < 1_000
      ? translate('milliseconds', { ms: duration_ms })
      : translate('seconds', { seconds: formatNumber(duration_ms / 1_000, { maximumFractionDigits: 1 }) });
  if (status === undefined) return translate('test.failed', { duration, error: error ?? '' });
  return translate(success ? 'test.success' : 'test.refused', { status: String(status), duration });
}

import { useState } from 'react';
import type { schemas } from '../../../sdk/src/index.ts';
import { isRunning, operationName, progressText } from '../../operations/operation-name.ts';
import { OperationProgress } from '../../operations/operation-progress.tsx';
import { OperationStatus } from '../../operations/operation-status.tsx';
import { useTenantQuery } from '../../session/use-tenant-query.ts';
import { RecordPage } from '../../shell/record-page.tsx';
import { useTenantPath } from '../../shell/tenant-path.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { DescriptionList } from '../../ui/description-list.tsx';
import { Num } from '../../ui/num.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { Section } from '../../ui/section.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { lazyWhenIdle } from '../../ui/when-idle.tsx';
import { operationRoute } from './index.ts';
import { ProblemTable } from './problem-table.tsx';
import { starterName } from './starter-name.ts';
import { texts } from './texts.ts';
import { useCancel } from './use-cancel.ts';

const { translate } = texts;
// After the page: it is not needed before the button is pressed.
const RevertDialog = lazyWhenIdle(async () => (await import('./revert-dialog.tsx')).RevertDialog);

/** Time between two readings of an operation that runs, in ms. */
const POLL_MS = 5_000;
/** Results that have a name. */
const RESULTS = [
  'created',
  'updated',
  'failed',
  'removed',
  'restored',
  'skipped',
  'changed',
  'unchanged',
  'refused',
] as const;

/** One operation: its progress, its results, and what was not processed. */
export function OperationScreen() {
  const { operationId } = operationRoute.useParams();
  const pathOf = useTenantPath();
  const query = useTenantQuery(
    ['operations', operationId],
    (api, options) => api.longOperations.get(operationId, options),
    { pollMs: (operation) => isRunning(operation) && POLL_MS },
  );
  return (
    <RecordPage
      query={query}
      title={translate('operation')}
      missing={{
        title: translate('missing.title'),
        text: translate('missing.text'),
        back: translate('missing.back'),
        href: pathOf('operations'),
      }}
    >
      {(operation) => <Content key={operation.id} operation={operation} />}
    </RecordPage>
  );
}

function Content({ operation }: { readonly operation: schemas.OperationDetail }) {
  const [isReverting, setReverting] = useState(false);
  const { id, status, created_at, finished_at: end, problems, can_cancel, can_revert } = operation;
  return (
    <>
      <PageHeader
        title={operationName(operation)}
        status={<OperationStatus status={status} />}
        actions={
          can_cancel ? (
            <CancelButton operation={operation} />
          ) : can_revert ? (
            <Button icon="undo-2" onPress={() => setReverting(true)}>
              {translate('revert')}
            </Button>
          ) : undefined
        }
      />
      <Notices operation={operation} />
      {isRunning(operation) ? (
        <Card>
          {status === 'queued' ? translate('waiting') : <OperationProgress operation={operation} />}
        </Card>
      ) : null}
      <DescriptionList
        items={[
          ...(isRunning(operation)
            ? []
            : [{ term: translate('column.progress'), value: progressText(operation) }]),
          ...resultsOf(operation),
          { term: translate('field.starter'), value: starterName(operation) },
          { term: translate('field.created'), value: <RelativeTime value={created_at} /> },
          { term: translate('field.finished'), value: end === null ? null : <RelativeTime value={end} /> },
          { term: translate('field.id'), value: <code>{id}</code> },
        ]}
      />
      {problems.length === 0 ? null : (
        <Section title={translate('problems')}>
          <ProblemTable problems={problems} />
        </Section>
      )}
      <RevertDialog operation={operation} isOpen={isReverting} onClose={() => setReverting(false)} />
    </>
  );
}

/** Notices about a failure, and about the operation that reverts or is reverted. */
function Notices({
  operation: { error, reverts, reverted_by: revertedBy },
}: {
  readonly operation: schemas.OperationDetail;
}) {
  const pathOf = useTenantPath();
  const linkTo = (id: string, text: string) => <TextLink href={pathOf(`operations/${id}`)}>{text}</TextLink>;
  return (
    <>
      {error === null ? null : (
        <Banner tone="danger" title={translate('failed.title')}>
          {error} {translate('failed.kept')}
        </Banner>
      )}
      {revertedBy === null ? null : (
        <Banner tone="neutral" action={linkTo(revertedBy, translate('reverted.link'))}>
          {translate('reverted')}
        </Banner>
      )}
      {reverts === null ? null : (
        <Banner tone="neutral" action={linkTo(reverts, translate('reverts.link'))}>
          {translate('reverts')}
        </Banner>
      )}
    </>
  );
}

function CancelButton({ operation }: { readonly operation: schemas.OperationDetail }) {
  const { run, isPending } = useCancel(operation);
  return (
    <Button icon="x" onPress={run} isPending={isPending}>
      {translate('cancel')}
    </Button>
  );
}

/** Returns the results with their names; one without a name is shown as the API calls it. */
function resultsOf({ counts }: schemas.OperationDetail) {
  return Object.entries(counts).map(([name, count]) => {
    const known = RESULTS.find((each) => each === name);
    return { term: known === undefined ? name : translate(`result.${known}`), value: <Num value={count} /> };
  });
}

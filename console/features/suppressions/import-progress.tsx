import type { schemas } from '../../../sdk/src/index.ts';
import { Banner } from '../../ui/banner.tsx';
import type { Column } from '../../ui/column.ts';
import { Num } from '../../ui/num.tsx';
import { ProgressBar } from '../../ui/progress-bar.tsx';
import { Section } from '../../ui/section.tsx';
import { SimpleTable } from '../../ui/simple-table.tsx';
import { texts } from './texts.ts';
import type { ImportState } from './use-import.ts';

const { translate } = texts;
/** Failed rows that the result shows. */
const SHOWN_ROWS = 100;

type RowError = schemas.SuppressionImport['errors'][number];

interface ImportProgressProps {
  readonly state: ImportState;
  readonly onDismiss: () => void;
}

/** Shows how much of a file the server has, then how many addresses are suppressed and which rows failed. */
export function ImportProgress({ state, onDismiss }: ImportProgressProps) {
  const { phase, name } = state;
  if (phase === 'sending')
    return (
      <Banner title={translate('import.running', { name })}>
        <ProgressBar
          label={translate('import.running', { name })}
          value={state.sent}
          maxValue={Math.max(1, state.total)}
          isLabelHidden
        />
      </Banner>
    );
  if (phase === 'failed')
    return (
      <Banner tone="danger" title={translate('import.failed', { name })} isLive onDismiss={onDismiss}>
        {state.message}
      </Banner>
    );
  const { created, unchanged, failed, errors } = state.result;
  return (
    <>
      <Banner
        tone={failed === 0 ? 'success' : 'warning'}
        title={translate('import.done', { name, count: created })}
        isLive
        onDismiss={onDismiss}
      >
        {unchanged === 0 ? null : translate('import.unchanged', { count: unchanged })}{' '}
        {failed === 0 ? null : translate('import.rows-failed', { count: failed })}
      </Banner>
      {failed === 0 ? null : (
        <Section
          title={translate('import.errors')}
          {...(failed > SHOWN_ROWS
            ? { description: translate('import.errors.first', { count: SHOWN_ROWS }) }
            : {})}
        >
          <SimpleTable
            label={translate('import.errors')}
            columns={errorColumns()}
            rows={errors.slice(0, SHOWN_ROWS)}
            keyOf={({ line }) => String(line)}
          />
        </Section>
      )}
    </>
  );
}

function errorColumns(): Column<RowError>[] {
  return [
    { id: 'line', title: translate('import.line'), cell: ({ line }) => <Num value={line} /> },
    { id: 'message', title: translate('import.message'), cell: ({ message }) => message },
  ];
}

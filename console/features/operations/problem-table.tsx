import type { schemas } from '../../../sdk/src/index.ts';
import type { Column } from '../../ui/column.ts';
import { Num } from '../../ui/num.tsx';
import { SimpleTable } from '../../ui/simple-table.tsx';
import { texts } from './texts.ts';

const { translate } = texts;
type Problem = schemas.OperationProblem;

/** Most problems that the page shows; the API has more. */
const MAX_SHOWN = 100;

/** The items of an operation that were not processed, with the reason. */
export function ProblemTable({ problems }: { readonly problems: readonly Problem[] }) {
  const shown = problems.slice(0, MAX_SHOWN);
  return (
    <>
      {problems.length > MAX_SHOWN ? (
        <p>{translate('problems.text', { shown: MAX_SHOWN, count: problems.length })}</p>
      ) : null}
      <SimpleTable
        label={translate('problems')}
        columns={columnsFor(shown)}
        rows={shown.map((problem, index) => ({ ...problem, index }))}
        keyOf={({ index }) => String(index)}
      />
    </>
  );
}

/** Returns the columns that the problems need: rows of files have lines, records have keys. */
function columnsFor(problems: readonly Problem[]): Column<Problem>[] {
  const has = (member: keyof Problem) => problems.some((problem) => problem[member] !== undefined);
  return [
    ...(has('line')
      ? [
          {
            id: 'line',
            title: translate('problem.line'),
            cell: ({ line }: Problem) => <Num value={line ?? null} />,
          },
        ]
      : []),
    ...(has('key')
      ? [{ id: 'key', title: translate('problem.key'), cell: ({ key }: Problem) => <code>{key}</code> }]
      : []),
    ...(has('column')
      ? [{ id: 'column', title: translate('problem.column'), cell: ({ column }: Problem) => column ?? null }]
      : []),
    { id: 'message', title: translate('problem.message'), cell: ({ message }: Problem) => message },
  ];
}

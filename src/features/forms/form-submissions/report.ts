import type { ReportFilters } from '../../../reports/report.ts';
import { resourceReport } from '../../../reports/resource-report.ts';
import { distinctTexts } from '../../../resources/record-pages.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import { findFormByCode, questionKeys } from '../forms/index.ts';
import { submissions } from './resource.ts';

/** Report of submissions with one column per question (docs/specification/reports.md#file). */
export const submissionReport = resourceReport(submissions, {
  type: 'form_submissions',
  date: { field: 'created_at', type: 'time' },
  spread: { field: 'form_data', prefix: 'form_data', sortNames: sortByForms },
});

/** With submissions of more forms, columns stay in alphabetical order: reading many large definitions is slow. */
const MAX_FORMS = 20;

/** Sorts question names form by form, in the order of each form; questions that no longer exist come last. */
async function sortByForms(
  db: ScopedDb,
  filters: ReportFilters,
  names: readonly string[],
): Promise<readonly string[]> {
  const codes = await distinctTexts(db, submissions, { filters }, 'form_code', MAX_FORMS + 1);
  if (codes.length > MAX_FORMS) return names;
  const remaining = new Set(names);
  const ordered: string[] = [];
  for (const code of codes) {
    const form = await findFormByCode(db, code);
    if (form === null) continue;
    for (const key of await questionKeys(db, form)) if (remaining.delete(key)) ordered.push(key);
  }
  return [...ordered, ...remaining];
}

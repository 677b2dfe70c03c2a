/** Mail about a new submission (docs/specification/forms.md#notification). */

import { html } from '../../../http/html.ts';
import { sendableAddress } from '../../../mail/address.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import { findDefaultSender } from '../../email-settings/api.ts';
import type { PlatformMail } from '../../mail/api.ts';
import { type FormForSubmission, getQuestionTitles } from '../forms/index.ts';
import type { SubmissionRecord } from './resource.ts';

/** Maximum characters per answer and in total: the mail is a notification, not a copy. */
const MAX_ANSWER_CHARACTERS = 5_000;
const MAX_TOTAL_CHARACTERS = 100_000;
const MAX_SUBJECT_NAME = 200;
const TRUNCATED = 'The mail has reached its maximum length. The submission has the other answers.';

/** A question and its answer as text. */
type Line = readonly [question: string, answer: string];

/**
 * Builds the mail for a form that has notifications; null if the tenant no longer has a default sender. Its
 * transmission has the submission's id, so that it can be found and erased with it.
 */
export async function writeNotification(
  db: ScopedDb,
  form: FormForSubmission,
  notify: NonNullable<FormForSubmission['notify']>,
  record: SubmissionRecord,
): Promise<PlatformMail | null> {
  const sender = await findDefaultSender(db);
  if (sender === null) return null;
  const titles = await getQuestionTitles(db, form);
  const lines = answerLines(record.form_data, titles);
  const about: Line[] = [
    ['Form', form.name],
    ['From', record.email_address],
    ['Received', record.created_at],
    ['Submission', record.id],
  ];
  const name = form.name.replaceAll(/\s+/g, ' ').trim().slice(0, MAX_SUBJECT_NAME).toWellFormed();
  return {
    id: record.id,
    ownerBuId: form.owner_bu_id,
    description: 'Notification of a form submission',
    to: [...new Set(notify.emails.map(sendableAddress))],
    from: sender.from,
    replyTo: notify.reply_to_respondent === true ? record.email_address : sender.replyTo,
    subject: `New submission: ${name}`,
    html: toHtml(lines, about),
    text: [...lines, ['', ''] as const, ...about].map(toText).join('\n'),
  };
}

function answerLines(
  answers: Readonly<Record<string, unknown>>,
  titles: ReadonlyMap<string, string>,
): readonly Line[] {
  const order = new Map([...titles.keys()].map((key, index) => [key, index]));
  const positionOf = (key: string) => order.get(key) ?? order.size;
  const lines: Line[] = [];
  let remaining = MAX_TOTAL_CHARACTERS;
  for (const [key, answer] of Object.entries(answers).sort(([a], [b]) => positionOf(a) - positionOf(b))) {
    const question = titles.get(key) ?? key;
    const text = clip(describe(answer), MAX_ANSWER_CHARACTERS);
    remaining -= question.length + text.length;
    if (remaining < 0) return [...lines, ['…', TRUNCATED]];
    lines.push([question, text]);
  }
  return lines;
}

/** Formats an answer as text. A file is shown by its name. */
function describe(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value)) return value.map(describe).join(', ');
  if (typeof value === 'object') {
    if ('content' in value && 'name' in value) return String(value.name);
    return Object.entries(value)
      .map(([name, part]) => `${name}: ${describe(part)}`)
      .join('; ');
  }
  return typeof value === 'string' && /^data:[^,]{0,200};base64,/.test(value) ? '(a file)' : String(value);
}

function clip(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length).toWellFormed()}…`;
}

function toText([question, answer]: Line): string {
  return question === '' ? '' : `${question}: ${answer}`;
}

function toHtml(lines: readonly Line[], about: readonly Line[]): string {
  const answers = lines.map(
    ([question, answer]) => html`<tr>
<th align="left" valign="top" style="padding:6px 16px 6px 0;font-weight:600">${question}</th>
<td valign="top" style="padding:6px 0;white-space:pre-wrap">${answer}</td>
</tr>
`,
  );
  const facts = about.map(
    ([name, value]) => html`${name}: ${value}<br>
`,
  );
  const page = html`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>New submission</title></head>
<body style="font-family:system-ui,sans-serif;font-size:15px;line-height:1.45;color:#1b1b1f">
<table role="presentation" cellspacing="0" cellpadding="0">
${answers}</table>
<p style="color:#5a5a66;font-size:13px">${facts}</p>
</body>
</html>
`;
  return page.toString();
}

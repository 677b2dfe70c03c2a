/**
 * Makes a plain form interactive. The service has rendered it (src/features/forms/embed/plain-form), so nothing moves.
 */
import type { PlainEmbeddedForm } from '../src/features/forms/embed/page-data.ts';
import { findFaulty } from './embed-page/issue-paths.ts';
import { createNotices } from './embed-page/notices.ts';
import {
  challengeUrl,
  markLive,
  readPageData,
  requireElement,
  submissionsUrl,
  trapContent,
} from './embed-page/page-parts.ts';
import { findParent } from './embed-page/parent-window.ts';
import {
  createSender,
  leave,
  messagesOf,
  type SendingContext,
  type ShownIssues,
} from './embed-page/sending.ts';
import { type AnswerIssue, type CollectedAnswers, sendAnswers } from './embed-page/submission.ts';
import { showClosing } from './plain-form/closing.ts';
import { openButtons, openPages, type Pages } from './plain-form/pages.ts';
import { openQuestion, type Question } from './plain-form/question.ts';
import './plain-form/plain-form.css';

type Form = PlainEmbeddedForm['plain'];

function openQuestions({ pages }: Form): Question[][] {
  let number = 0;
  return pages.map((questions) =>
    questions.map((question) => {
      const id = `q${number}`;
      number += 1;
      return openQuestion(question, id);
    }),
  );
}

function collect(questions: readonly Question[], { emailQuestion, isEmailAdded }: Form): CollectedAnswers {
  const answers = new Map(questions.map((question) => [question.name, question.value()]));
  const address = answers.get(emailQuestion);
  if (isEmailAdded) answers.delete(emailQuestion);
  const given = [...answers].filter(([, value]) => value !== undefined);
  return {
    email_address: typeof address === 'string' ? address.trim() : '',
    form_data: Object.fromEntries(given),
  };
}

/** Checks questions and focuses the first invalid one. Returns true if all are valid. */
function checkAll(questions: readonly Question[], pages: Pages): boolean {
  const faulty = questions.filter((question) => !question.check());
  if (faulty[0] !== undefined) pages.focus(faulty[0]);
  return faulty.length === 0;
}

function showIssues(
  questions: readonly Question[],
  pages: Pages,
  { emailQuestion }: Form,
  issues: readonly AnswerIssue[],
): ShownIssues {
  const faulty = new Set<Question>();
  const unplaced: string[] = [];
  for (const { field, message } of issues) {
    const find = (name: string) => questions.find((question) => question.name === name);
    const question = findFaulty(find, field, emailQuestion);
    question?.addError(message);
    if (question === null) unplaced.push(message);
    else faulty.add(question);
  }
  const first = questions.find((question) => faulty.has(question));
  return { first: first === undefined ? null : { focus: () => pages.focus(first) }, unplaced };
}

function start(): void {
  const form = readPageData<PlainEmbeddedForm>();
  const { plain, texts } = form;
  const container = requireElement('tessera-survey');
  const parent = findParent(form.public_code);
  const byPage = openQuestions(plain);
  const questions = byPage.flat();
  const pages = openPages(container, byPage);
  const context: SendingContext = {
    texts,
    container,
    parent,
    notices: createNotices(),
    send: () =>
      sendAnswers(submissionsUrl(form), collect(questions, plain), trapContent(), texts, challengeUrl(form)),
    showIssues: (issues) => showIssues(questions, pages, plain, issues),
  };
  const submit = createSender(context);
  openButtons(container, {
    previous: () => pages.open(pages.current - 1),
    next: () => {
      if (checkAll(byPage[pages.current] ?? [], pages)) pages.open(pages.current + 1);
    },
    complete: async () => {
      const receipt = checkAll(questions, pages) ? await submit() : null;
      if (receipt === null) return;
      await showClosing(messagesOf(receipt) ?? plain.completedHtml, texts.sent);
      leave(context, receipt);
    },
  });
  container.querySelector('form')?.addEventListener('submit', (event) => event.preventDefault());
  markLive(container);
  parent?.ready();
}

start();

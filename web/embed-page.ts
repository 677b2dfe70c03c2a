import { setupLocale } from 'survey-core';
import { renderSurvey } from 'survey-js-ui';
import type { EmbeddedForm } from '../src/features/forms/embed/page-data.ts';
import { collectAnswers } from './embed-page/answers.ts';
import { submitOnCompletion } from './embed-page/completion.ts';
import { setAnswers, takeEarlyAnswers } from './embed-page/early-answers.ts';
import './embed-page/embed-page.css';
import { prepareDefinition } from './embed-page/form-definition.ts';
import { createFormModel, type FormModel } from './embed-page/form-model.ts';
import { showIssues } from './embed-page/issues.ts';
import { createNotices } from './embed-page/notices.ts';
import { followPages } from './embed-page/page-changes.ts';
import {
  challengeUrl,
  markLive,
  readPageData,
  requireElement,
  submissionsUrl,
  trapContent,
} from './embed-page/page-parts.ts';
import { findParent } from './embed-page/parent-window.ts';
import { followPresses } from './embed-page/presses.ts';
import { sendAnswers } from './embed-page/submission.ts';

/** Shows the form title as the heading of the page while SurveyJS shows none, so that there is always one. */
function showTitle(survey: FormModel): void {
  const heading = requireElement('tessera-title');
  const update = (): void => {
    heading.hidden = survey.state !== 'completed' && survey.renderedHasTitle;
  };
  survey.onComplete.add(update);
  update();
}

/** Width in CSS pixels below which SurveyJS renders for phones. */
const mobileWidth = 600;

function start(): void {
  const form = readPageData<EmbeddedForm>();
  const { texts } = form;
  if (window.tesseraLocale !== undefined) setupLocale(window.tesseraLocale);
  const definition = prepareDefinition(form, texts.emailAddress);
  const survey = createFormModel(definition, form);
  const container = requireElement('tessera-survey');
  const parent = findParent(form.public_code);
  followPages(survey, (page, pages) =>
    texts.pageOf.replace('{page}', String(page)).replace('{pages}', String(pages)),
  );
  followPresses(container);
  showTitle(survey);
  submitOnCompletion(survey, {
    texts,
    container,
    parent,
    notices: createNotices(),
    send: () =>
      sendAnswers(
        submissionsUrl(form),
        collectAnswers(survey, definition, form.email_question),
        trapContent(),
        texts,
        challengeUrl(form),
      ),
    showIssues: (issues) => {
      const { first, unplaced } = showIssues(survey, issues, form.email_question);
      return { first: first && { focus: () => first.focus(true) }, unplaced };
    },
  });
  // SurveyJS measures only after rendering, and would first render the wide layout on phones.
  survey.setIsMobile(container.clientWidth < mobileWidth);
  const early = takeEarlyAnswers(container);
  setAnswers(survey, early);
  renderSurvey(survey, container);
  markLive(container);
  parent?.ready();
}

start();

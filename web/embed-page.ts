import { setupLocale } from 'survey-core';
import { renderSurvey } from 'survey-js-ui';
import type { EmbeddedForm } from '../src/features/embed/page-data.ts';
import { collectAnswers } from './embed-page/answers.ts';
import { submitOnCompletion } from './embed-page/completion.ts';
import { giveAnswers, takeEarlyAnswers } from './embed-page/early-answers.ts';
import './embed-page/embed-page.css';
import { prepareDefinition } from './embed-page/form-definition.ts';
import { createFormModel, type FormModel } from './embed-page/form-model.ts';
import { createNotices, requireElement } from './embed-page/notices.ts';
import { followPages } from './embed-page/page-changes.ts';
import { findParent } from './embed-page/parent-window.ts';
import { keepPresses } from './embed-page/presses.ts';
import { sendAnswers } from './embed-page/submission.ts';

/** The form that the service wrote into this page; it comes from the same build, so its shape is known. */
function readForm(): EmbeddedForm {
  const form: EmbeddedForm = JSON.parse(requireElement('tessera-form').textContent ?? '');
  return form;
}

/** What belongs to this form lies below the page itself, whatever path a proxy puts before it. */
function urlOf(name: 'submissions' | 'challenge'): string {
  return `${window.location.pathname.replace(/\/+$/, '')}/${name}`;
}

/** Keeps one heading for the whole page, whatever the form shows: its title, when SurveyJS shows none. */
function showTitle(survey: FormModel): void {
  const heading = requireElement('tessera-title');
  const update = (): void => {
    heading.hidden = survey.state !== 'completed' && survey.renderedHasTitle;
  };
  survey.onComplete.add(update);
  update();
}

/** Below this width in CSS pixels SurveyJS draws for phones. */
const mobileWidth = 600;

function start(): void {
  const form = readForm();
  const { texts } = form;
  if (window.tesseraLocale !== undefined) setupLocale(window.tesseraLocale);
  const definition = prepareDefinition(form, texts.emailAddress);
  const survey = createFormModel(definition, form);
  const container = requireElement('tessera-survey');
  const trap = requireElement('tessera-website');
  const parent = findParent(form.public_code);
  document.documentElement.classList.add(parent === null ? 'tessera-standalone' : 'tessera-framed');
  followPages(survey, (page, pages) =>
    texts.pageOf.replace('{page}', String(page)).replace('{pages}', String(pages)),
  );
  keepPresses(container);
  showTitle(survey);
  submitOnCompletion({
    survey,
    texts,
    container,
    parent,
    notices: createNotices(),
    emailQuestion: form.email_question,
    send: () =>
      sendAnswers(
        `${urlOf('submissions')}?${new URLSearchParams({ locale: form.locale })}`,
        collectAnswers(survey, definition, form.email_question),
        trap instanceof HTMLInputElement ? trap.value : '',
        texts,
        form.challenge ? urlOf('challenge') : null,
      ),
  });
  // SurveyJS measures after it has drawn, and would draw a phone's page wide at first.
  survey.setIsMobile(container.clientWidth < mobileWidth);
  const early = takeEarlyAnswers(container);
  giveAnswers(survey, early);
  renderSurvey(survey, container);
  parent?.ready();
}

start();
